// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const dataChecksum = "perch.dev/data-checksum"

// everything is for dump: no kind is left out.
const everything = ""

// dump writes the given namespaces as one List, an object a line, Secret data replaced by Flagger's checksum; without names kinds.
func (c *client) dump(path, without string, namespaces ...string) {
	in := map[string]bool{}
	for _, n := range namespaces {
		in[n] = true
	}
	var listed []string
	var items []any
	for _, k := range kinds {
		if !k.dumped || strings.Contains(without, k.name) {
			continue
		}
		listed = append(listed, k.name)
		for _, o := range c.list(k.name, "") {
			if !in[o.GetNamespace()] || o.GetName() == "kube-root-ca.crt" {
				continue
			}
			if k.name == "Secret" {
				conceal(&o)
			}
			items = append(items, o.Object)
		}
	}
	info := map[string]any{"apiVersion": "perch.dev/v1", "kind": "ClusterInfo", "serverVersion": c.server, "lists": listed}
	write(path, append([]any{info}, items...))
	say("%s: %d objects", path, len(items))
}

func write(path string, items []any) {
	file, err := os.Create(path)
	must(err)
	out := bufio.NewWriter(file)
	out.WriteString("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"\"},\"items\":[\n")
	for i, item := range items {
		text, err := json.Marshal(item)
		must(err)
		if i > 0 {
			out.WriteString(",\n")
		}
		out.Write(text)
	}
	out.WriteString("\n]}\n")
	must(out.Flush())
	must(file.Close())
}

func (c *client) serverVersion() string { return os.Getenv("LAB_KUBE_MINOR") }

// conceal takes the data out of a Secret, also out of last-applied, and leaves what Flagger compares: its checksum.
func conceal(secret *object) {
	data, found, err := unstructured.NestedStringMap(secret.Object, "data")
	must(err)
	if !found {
		data = nil
	}
	text, err := json.Marshal(data)
	must(err)
	sum := sha256.Sum256(text)
	delete(secret.Object, "data")
	annotations := secret.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	delete(annotations, lastApplied)
	annotations[dataChecksum] = hex.EncodeToString(sum[:8])
	secret.SetAnnotations(annotations)
}
