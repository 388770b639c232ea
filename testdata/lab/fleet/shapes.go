// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"encoding/json"
	"strings"

	"sigs.k8s.io/yaml"
)

//go:embed shapes.yaml
var shapesText []byte

// shape is a fragment of a pod template, and what it needs beside it; see shapes.yaml.
type shape struct {
	Name     string           `json:"name"`
	Kinds    []string         `json:"kinds"`
	Again    bool             `json:"again"`
	Objects  []map[string]any `json:"objects"`
	Template map[string]any   `json:"template"`
}

// combined are shapes that real workloads have together.
var combined = []string{
	"env+config-env+probes+quantities", "config-from+config-volumes+security+lifecycle", "env-from-pod+affinity+scheduling+containers",
	"annotations+grpc-probe+quantities-decimal", "volumes+ephemeral+dns", "config-init+config-env+long+resize",
	"self-affinity+annotations+config-from", "host+scheduling+volumes-old+quantities-small", "empty-structs+pointers-to-zero+claims",
	"native-sidecar+config-init+apparmor+probes",
}

// daemons are the shapes that are made as a DaemonSet too.
var daemons = []string{"plain", "env", "config-env", "config-volumes", "security", "scheduling", "quantities", "affinity", "empty-structs",
	"native-sidecar", "host+volumes+annotations"}

func shapes() map[string]shape {
	var list []shape
	must(yaml.Unmarshal(shapesText, &list))
	all := map[string]shape{}
	for _, s := range list {
		all[s.Name] = s
	}
	return all
}

// member is one workload of a fleet with its Canary.
type member struct {
	name, kind string
	again      bool
	apply      applier
	objects    []*object // what it refers to, the workload, the Canary
}

func (m *member) workload() *object { return m.objects[len(m.objects)-2] }

const plainWorkload = `
apiVersion: apps/v1
kind: KIND
metadata: {name: NAME, namespace: NAMESPACE, labels: {app: NAME}}
spec:
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec:
      containers:
        - name: app
          image: registry.example/app:1.0.0
          ports: [{name: http, containerPort: 8080}]
`

const plainCanary = `
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: NAME, namespace: NAMESPACE}
spec:
  targetRef: {apiVersion: apps/v1, kind: KIND, name: NAME}
  service: {port: 80, targetPort: http}
  analysis: {interval: 10s, threshold: 2, iterations: 1}
`

// newMember makes the workload `kind/name` out of shapes joined by plus signs.
func newMember(all map[string]shape, namespace, name, kind, joined string, apply applier) *member {
	fill := strings.NewReplacer("NAMESPACE", namespace, "NAME", name, "KIND", kind)
	m := &member{name: name, kind: kind, apply: apply}
	workload := parse([]byte(fill.Replace(plainWorkload)))[0]
	template := workload.Object["spec"].(map[string]any)["template"].(map[string]any)
	for _, part := range strings.Split(joined, "+") {
		s, ok := all[part]
		if !ok {
			fatal("no shape is called '%s'", part)
		}
		m.again = m.again || s.Again
		merge(template, filled(s.Template, fill))
		for _, o := range s.Objects {
			made := &object{Object: filled(o, fill)}
			if made.GetKind() != "RuntimeClass" {
				made.SetNamespace(namespace)
			}
			m.objects = append(m.objects, made)
		}
	}
	m.objects = append(m.objects, workload, parse([]byte(fill.Replace(plainCanary)))[0])
	return m
}

// filled copies a fragment with its placeholders filled in, numbers as int64 as unstructured wants them.
func filled(fragment map[string]any, fill *strings.Replacer) map[string]any {
	if fragment == nil {
		return nil
	}
	text, err := json.Marshal(fragment)
	must(err)
	wrapped := `{"apiVersion":"v1","kind":"Fragment","of":` + fill.Replace(string(text)) + `}`
	o := &object{}
	must(o.UnmarshalJSON([]byte(wrapped)))
	return o.Object["of"].(map[string]any)
}

// merge adds from to into: maps by key, containers by name, other lists by appending.
func merge(into, from map[string]any) {
	for key, value := range from {
		switch value := value.(type) {
		case map[string]any:
			if at, ok := into[key].(map[string]any); ok {
				merge(at, value)
				continue
			}
		case []any:
			if at, ok := into[key].([]any); ok {
				into[key] = mergeList(at, value, key)
				continue
			}
		}
		into[key] = value
	}
}

func mergeList(into, from []any, key string) []any {
	for _, item := range from {
		m, _ := item.(map[string]any)
		if at := find(into, m["name"]); key == "containers" && at != nil {
			merge(at, m)
		} else {
			into = append(into, item)
		}
	}
	return into
}

func find(list []any, name any) map[string]any {
	for _, item := range list {
		if m := item.(map[string]any); m["name"] == name {
			return m
		}
	}
	return nil
}
