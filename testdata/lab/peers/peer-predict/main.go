// SPDX-License-Identifier: Apache-2.0

// peer-predict DUMP: which canaries of a dump (kind: List) would Flagger 1.38 roll? Reads item by
// item, so that the dump is never in memory, hashes each target once, and prints
// "canaries N", "rolls N", "seconds S", "us_per_hash U" and "peak_mb M", one a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"perch.dev/lab/peers"
)

type head struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Namespace string `json:"namespace"`
		Name      string `json:"name"`
	} `json:"metadata"`
}

type canary struct {
	Spec struct {
		TargetRef struct {
			Kind string `json:"kind"`
			Name string `json:"name"`
		} `json:"targetRef"`
	} `json:"spec"`
	Status struct {
		LastAppliedSpec  string `json:"lastAppliedSpec"`
		LastPromotedSpec string `json:"lastPromotedSpec"`
	} `json:"status"`
}

type key struct{ namespace, name string }

type fleet struct {
	canaries map[key]canary // by target
	hashes   map[key]string // of Deployments
}

func main() {
	if len(os.Args) != 2 {
		fail("usage: peer-predict DUMP")
	}
	file, err := os.Open(os.Args[1])
	if err != nil {
		fail(err.Error())
	}
	start := time.Now()
	f := fleet{map[key]canary{}, map[key]string{}}
	if err := f.read(json.NewDecoder(bufio.NewReaderSize(file, 1<<20))); err != nil {
		fail(err.Error())
	}
	rolls := 0
	for k, c := range f.canaries {
		h := f.hashes[k]
		if s := c.Status; s.LastAppliedSpec == "" || s.LastPromotedSpec != h && s.LastAppliedSpec != h {
			rolls++
		}
	}
	took := time.Since(start)
	fmt.Printf("canaries %d\nrolls %d\nseconds %.3f\nus_per_hash %.1f\npeak_mb %.1f\n", len(f.canaries), rolls,
		took.Seconds(), took.Seconds()*1e6/float64(max(len(f.canaries), 1)), peers.PeakMemory())
}

// read goes through {…, "items": […]}.
func (f *fleet) read(d *json.Decoder) error {
	for {
		t, err := d.Token()
		if err != nil {
			return err
		}
		if t == "items" {
			break
		}
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	var item json.RawMessage
	for d.More() {
		if err := d.Decode(&item); err != nil {
			return err
		}
		if err := f.add(item); err != nil {
			return err
		}
	}
	return nil
}

func (f *fleet) add(item []byte) error {
	var h head
	if err := json.Unmarshal(item, &h); err != nil {
		return err
	}
	k := key{h.Metadata.Namespace, h.Metadata.Name}
	switch h.Kind {
	case "Canary":
		var c canary
		if err := json.Unmarshal(item, &c); err != nil {
			return err
		}
		k.name = c.Spec.TargetRef.Name
		f.canaries[k] = c
	case "Deployment":
		// A dump lists its Canaries first, so a Deployment that none names is no target.
		if _, target := f.canaries[k]; !target {
			return nil
		}
		d, err := peers.Deployment(item)
		if err != nil {
			return err
		}
		f.hashes[k] = peers.ComputeHash(d.Spec.Template)
	}
	return nil
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(2)
}
