// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"hash/fnv"

	"github.com/davecgh/go-spew/spew"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	kjson "sigs.k8s.io/json"
)

var printer = spew.ConfigState{Indent: " ", SortKeys: true, DisableMethods: true, SpewKeys: true}

// answer prints the hash, or the dump, of one JSON object, or "ERR" and why it does not decode.
func answer(out *bufio.Writer, text []byte, dump bool) {
	v, err := hashed(text)
	switch {
	case err != nil:
		fmt.Fprintf(out, "ERR %q\n", err.Error())
	case dump:
		printer.Fprintf(out, "%#v", v)
		out.WriteByte('\n')
	default:
		h := fnv.New32a()
		printer.Fprintf(h, "%#v", v)
		fmt.Fprintln(out, rand.SafeEncodeString(fmt.Sprint(h.Sum32())))
	}
}

// hashed decodes as client-go does (case-sensitive) and returns what Flagger hands to spew.
func hashed(text []byte) (interface{}, error) {
	var k struct {
		APIVersion string
		Kind       string
	}
	if err := json.Unmarshal(text, &k); err != nil {
		return nil, err
	}
	switch k.Kind {
	case "Deployment":
		var d appsv1.Deployment
		err := kjson.UnmarshalCaseSensitivePreserveInts(text, &d)
		return d.Spec.Template, err
	case "DaemonSet":
		var d appsv1.DaemonSet
		err := kjson.UnmarshalCaseSensitivePreserveInts(text, &d)
		return unparked(d.Spec.Template), err
	case "Service":
		var s corev1.Service
		err := kjson.UnmarshalCaseSensitivePreserveInts(text, &s)
		return s.Spec, err
	case "Checksum": // what Flagger sends to webhooks, from a Canary's status
		var c struct{ Status checksum }
		err := kjson.UnmarshalCaseSensitivePreserveInts(text, &c)
		return payload(c.Status), err
	}
	return nil, fmt.Errorf("no target kind: %q", k.Kind)
}

// unparked is what Flagger does to a DaemonSet's template before it hashes it.
func unparked(t corev1.PodTemplateSpec) corev1.PodTemplateSpec {
	delete(t.Spec.NodeSelector, "flagger.app/scale-to-zero")
	if t.Spec.NodeSelector == nil {
		t.Spec.NodeSelector = map[string]string{}
	}
	return t
}

type checksum struct {
	TrackedConfigs  *map[string]string `json:"trackedConfigs"`
	LastAppliedSpec string             `json:"lastAppliedSpec"`
}

func payload(c checksum) interface{} {
	return struct {
		TrackedConfigs  *map[string]string
		LastAppliedSpec string
	}{c.TrackedConfigs, c.LastAppliedSpec}
}
