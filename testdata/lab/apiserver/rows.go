// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"
)

//go:embed rows.yaml
var rowsText []byte

// A hand-made question: `was` went to the server, others edited, now the applier sends `now`.
type row struct {
	Name   string
	Kind   string   // Deployment unless told
	Was    fragment // absent: the plain object
	Others []edit
	Now    *fragment // absent: as it was
	First  applier   // who sent `was`, where it isn't the one who is asked
	By     []applier
}

// Parts of an object, laid over the plain one key by key. null is sent as null.
type fragment struct {
	O, T, M, P, C map[string]any // object, template, its metadata, pod spec, first container
}

type edit struct {
	By    string
	Set   *fragment // get, lay over, put
	Patch []any     // JSON patch
	Apply *fragment // server-side apply of just this
}

func readRows() ([]row, error) {
	var rows []row
	if err := yaml.UnmarshalStrict(rowsText, &rows, keepNumbers); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, r := range rows {
		if seen[r.Name] {
			return nil, fmt.Errorf("two rows are called %q", r.Name)
		}
		seen[r.Name] = true
	}
	return rows, nil
}

func keepNumbers(d *json.Decoder) *json.Decoder {
	d.UseNumber()
	return d
}

func (r row) stories() []story {
	by := r.By
	if by == nil {
		by = []applier{argo, flux, kubectl, helm, replacing}
	}
	var out []story
	for _, a := range by {
		name := fmt.Sprintf("%s-%s", r.Name, slug(a))
		t := story{name: name}
		was := r.Was.on(plain(r.kind(), name))
		first := a
		if r.First != "" {
			first = r.First
		}
		t.steps = append(t.steps, step{by: first, object: was})
		for _, e := range r.Others {
			t.steps = append(t.steps, e.step(r.kind(), name))
		}
		if r.Now != nil {
			t.asks = append(t.asks, ask{"now", a, r.Now.on(plain(r.kind(), name))})
		}
		t.asks = append(t.asks, ask{"again", a, was})
		out = append(out, t)
	}
	return out
}

func (r row) kind() string {
	if r.Kind == "" {
		return "Deployment"
	}
	return r.Kind
}

func (e edit) step(kind, name string) step {
	st := step{manager: e.By, patch: e.Patch}
	if e.Set != nil {
		st.edit = func(o object) { e.Set.over(o) }
	}
	if e.Apply != nil {
		o := object{"apiVersion": "apps/v1", "kind": kind, "metadata": map[string]any{"name": name}}
		if kind == "Service" {
			o["apiVersion"] = "v1"
		}
		if e.Apply.C != nil {
			o.mapAt("spec", "template", "spec")["containers"] = []any{map[string]any{"name": "c"}}
		}
		e.Apply.over(o)
		st.apply = o
	}
	return st
}

func (f fragment) on(o object) object {
	f.over(o)
	return o
}

func (f fragment) over(o object) {
	overlay(o, f.O)
	if f.T != nil {
		overlay(o.mapAt("spec", "template"), f.T)
	}
	if f.M != nil {
		overlay(o.mapAt("spec", "template", "metadata"), f.M)
	}
	if f.P != nil {
		overlay(o.mapAt("spec", "template", "spec"), f.P)
	}
	if f.C != nil {
		overlay(o.mapAt("spec", "template", "spec")["containers"].([]any)[0].(map[string]any), f.C)
	}
}

func overlay(onto, parts map[string]any) {
	for key, v := range parts {
		inner, has := onto[key].(map[string]any)
		more, is := v.(map[string]any)
		if has && is && (key == "spec" || key == "metadata" || key == "labels") {
			overlay(inner, more)
			continue
		}
		onto[key] = copyValue(v)
	}
}

// The plain object that rows and generated objects start from.
func plain(kind, name string) object {
	labels := func() map[string]any { return map[string]any{"app": name} }
	o := object{
		"apiVersion": "apps/v1", "kind": kind,
		"metadata": map[string]any{"name": name, "namespace": namespace},
	}
	if kind == "Service" {
		o["apiVersion"] = "v1"
		o["spec"] = map[string]any{"selector": labels(), "ports": []any{map[string]any{"port": 80}}}
		return o
	}
	o["spec"] = map[string]any{
		"selector": map[string]any{"matchLabels": labels()},
		"template": map[string]any{
			"metadata": map[string]any{"labels": labels()},
			"spec": map[string]any{
				"containers": []any{map[string]any{"name": "c", "image": "x:1"}},
			},
		},
	}
	return o
}
