// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"encoding/json"
	"sort"
)

// A Kubernetes object as JSON says it. Numbers stay as they are spelled (json.Number).
type object map[string]any

func decode(raw []byte) (object, error) {
	var o object
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&o); err != nil {
		return nil, err
	}
	return o, nil
}

func encode(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

func (o object) kind() string {
	s, _ := o["kind"].(string)
	return s
}

func (o object) name() string {
	s, _ := o.at("metadata", "name").(string)
	return s
}

// The value at a path of map keys; nil where a step is absent.
func (o object) at(path ...string) any {
	var v any = map[string]any(o)
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

func (o object) mapAt(path ...string) map[string]any {
	m := map[string]any(o)
	for _, key := range path {
		next, ok := m[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			m[key] = next
		}
		m = next
	}
	return m
}

func (o object) copy() object { return object(copyValue(map[string]any(o)).(map[string]any)) }

func copyValue(v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for key, item := range v {
			m[key] = copyValue(item)
		}
		return m
	case []any:
		l := make([]any, len(v))
		for i, item := range v {
			l[i] = copyValue(item)
		}
		return l
	}
	return v
}

// What Flagger hashes and perch compares: the pod template, a Service's spec.
func (o object) content() any {
	if o.kind() == "Service" {
		return o.at("spec")
	}
	return o.at("spec", "template")
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
