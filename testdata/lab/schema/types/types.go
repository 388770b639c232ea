// SPDX-License-Identifier: Apache-2.0

package main

import (
	"reflect"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
)

// Field is one struct field, as reflection and its tags give it.
type Field struct {
	Name          string
	JSON          string `json:",omitempty"` // empty: inlined
	Type          string
	OmitEmpty     bool   `json:",omitempty"`
	PatchStrategy string `json:",omitempty"`
	PatchMergeKey string `json:",omitempty"`
}

// Type is one Go type that a root reaches; Name is what reflection, and so a dump, calls it.
type Type struct {
	Name   string
	Pkg    string `json:",omitempty"`
	Kind   string
	Elem   string  `json:",omitempty"`
	Key    string  `json:",omitempty"`
	Fields []Field `json:",omitempty"`
}

// Types with a JSON form of their own; what is inside them is not a matter of the schema.
var opaque = map[string]string{
	"resource.Quantity":  "quantity",
	"intstr.IntOrString": "int-or-string",
	"v1.Time":            "time",
	"v1.FieldsV1":        "raw",
}

type walker struct {
	seen  map[string]reflect.Type
	types []*Type
}

func walkRoots() []*Type {
	w := &walker{seen: map[string]reflect.Type{}}
	for _, root := range []interface{}{appsv1.Deployment{}, appsv1.DaemonSet{}, corev1.Service{}} {
		w.walk(reflect.TypeOf(root))
	}
	return w.types
}

func (w *walker) walk(t reflect.Type) string {
	name := t.String()
	if known, ok := w.seen[name]; ok {
		if known != t && (known.Kind() != reflect.String || t.Kind() != reflect.String) {
			panic("two types are called " + name)
		}
		return name
	}
	w.seen[name] = t
	d := &Type{Name: name, Pkg: t.PkgPath(), Kind: t.Kind().String()}
	w.types = append(w.types, d)
	if kind, ok := opaque[name]; ok {
		d.Kind = kind
		return name
	}
	switch t.Kind() {
	case reflect.Ptr:
		d.Kind, d.Elem = "pointer", w.walk(t.Elem())
	case reflect.Slice:
		d.Kind, d.Elem = "list", w.walk(t.Elem())
	case reflect.Map:
		d.Key, d.Elem = w.walk(t.Key()), w.walk(t.Elem())
	case reflect.Struct:
		for i := 0; i < t.NumField(); i++ {
			d.Fields = append(d.Fields, w.field(t.Field(i)))
		}
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64:
	default:
		panic("unexpected kind " + d.Kind + " of " + name)
	}
	return name
}

func (w *walker) field(f reflect.StructField) Field {
	parts := strings.Split(f.Tag.Get("json"), ",")
	r := Field{Name: f.Name, JSON: parts[0], Type: w.walk(f.Type)}
	for _, option := range parts[1:] {
		r.OmitEmpty = r.OmitEmpty || option == "omitempty"
	}
	if r.JSON == "" && !f.Anonymous {
		panic("no JSON name: " + f.Name)
	}
	r.PatchStrategy = f.Tag.Get("patchStrategy")
	r.PatchMergeKey = f.Tag.Get("patchMergeKey")
	return r
}
