// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var metaType = reflect.TypeOf(metav1.ObjectMeta{})

// One change somewhere in the template, found by walking down its Go type. It may be none.
func (g generator) mutate(o object) {
	template := o.mapAt("spec", "template")
	if g.chance(90) {
		template["spec"] = g.change(template["spec"], podSpecType, "", 0)
		return
	}
	meta := o.mapAt("spec", "template", "metadata")
	meta["annotations"] = g.change(meta["annotations"], reflect.TypeOf(map[string]string{}), "", 0)
}

func (g generator) change(v any, t reflect.Type, where string, depth int) any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch v := v.(type) {
	case map[string]any:
		if t.Kind() == reflect.Map {
			return g.changeMap(v, t, depth)
		}
		if t.Kind() == reflect.Struct {
			return g.changeStruct(v, t, depth)
		}
	case []any:
		if t.Kind() == reflect.Slice && len(v) > 0 {
			return g.changeList(v, t, where, depth)
		}
	}
	return g.value(t, where, depth)
}

func (g generator) changeStruct(m map[string]any, t reflect.Type, depth int) any {
	fields := fieldsOf(t)
	var there []reflect.StructField
	for _, f := range fields {
		if _, ok := m[jsonName(f)]; ok || jsonName(f) == "" {
			there = append(there, f)
		}
	}
	if len(there) == 0 || g.chance(25) && oneOf[t.Name()] == nil {
		g.put(m, t, fields[g.Intn(len(fields))], depth+1)
		return m
	}
	f := there[g.Intn(len(there))]
	name, where := jsonName(f), t.Name()+"."+f.Name
	switch {
	case name == "":
		g.changeStruct(m, f.Type, depth)
	case g.chance(15) && name != "name":
		delete(m, name)
	default:
		m[name] = g.change(m[name], f.Type, where, depth+1)
	}
	return m
}

func (g generator) changeMap(m map[string]any, t reflect.Type, depth int) any {
	keys := sortedKeys(m)
	if len(keys) > 0 && g.chance(30) {
		delete(m, keys[g.Intn(len(keys))])
		return m
	}
	for key, v := range g.value(t, "", depth).(map[string]any) {
		m[key] = v
	}
	return m
}

func (g generator) changeList(l []any, t reflect.Type, where string, depth int) any {
	i := g.Intn(len(l))
	switch n := g.Intn(100); {
	case n < 60:
		l[i] = g.change(l[i], t.Elem(), where, depth+1)
	case n < 72:
		at := g.Intn(len(l) + 1)
		l = append(l[:at], append([]any{g.value(t.Elem(), where, depth+1)}, l[at:]...)...)
	case n < 84:
		l = append(l[:i], l[i+1:]...)
	case n < 96:
		j := g.Intn(len(l))
		l[i], l[j] = l[j], l[i]
	default:
		l = append(l, copyValue(l[i]))
	}
	return l
}

// The same meaning (mostly) in another spelling, in a few places.
func (g generator) respell(v any, t reflect.Type) any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == quantityType {
		return g.respellQuantity(v)
	}
	switch v := v.(type) {
	case map[string]any:
		if t.Kind() != reflect.Struct {
			for _, key := range sortedKeys(v) {
				v[key] = g.respell(v[key], t.Elem())
			}
			return v
		}
		for _, f := range fieldsOf(t) {
			name := jsonName(f)
			if name == "" {
				g.respell(v, f.Type)
			} else if name == "containerPort" {
				continue // the tools' merge takes 80.0 in JSON for another key than 80
			} else if item, ok := v[name]; ok {
				v[name] = g.respell(item, f.Type)
			} else if g.chance(4) && oneOf[t.Name()] == nil {
				v[name] = g.nothing(f.Type)
			}
		}
		return v
	case []any:
		for i := range v {
			v[i] = g.respell(v[i], t.Elem())
		}
	case json.Number:
		if (t.Kind() == reflect.Int32 || t.Kind() == reflect.Int64) && g.chance(10) {
			return pick(g, v+".0", v+"e0")
		}
	}
	return v
}

// Ways to say that there is nothing; behind a pointer some of them say something.
func (g generator) nothing(t reflect.Type) any {
	if g.chance(40) {
		return nil
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Kind() {
	case reflect.Struct:
		return map[string]any{}
	case reflect.Slice:
		return []any{}
	case reflect.Map:
		return map[string]any{}
	case reflect.Bool:
		return false
	case reflect.Int32, reflect.Int64:
		return json.Number("0")
	case reflect.String:
		return ""
	}
	return nil
}

var spellings = map[string][]any{
	"1": {json.Number("1"), "1000m", "1.0", "+1"}, "2Gi": {"2048Mi", "2097152Ki"}, "1000": {"1k", "1e3", json.Number("1000")},
	"0.5": {"500m", ".5"}, "1.5": {"1500m"}, "100m": {"0.1"}, "1k": {"1000"}, "0": {"0Mi", json.Number("0")},
}

func (g generator) respellQuantity(v any) any {
	if text, ok := v.(string); ok && g.chance(50) {
		if same, ok := spellings[text]; ok {
			return pick(g, same...)
		}
	}
	return v
}

// A value of a wrong type in one place of the first container.
func (g generator) breakType(o object) {
	c := o.mapAt("spec", "template", "spec")["containers"].([]any)[0].(map[string]any)
	wrong := pick[any](g, "x", json.Number("5"), json.Number("1.5"), true, []any{"x"}, map[string]any{"x": "y"}, []any{nil}, []any{map[string]any{}})
	fields := fieldsOf(reflect.TypeOf(corev1.Container{}))
	f := fields[g.Intn(len(fields))]
	c[jsonName(f)] = wrong
}

var pathStep = regexp.MustCompile(`[^.\[\]]+`)

// Takes out of a generated object what validation refuses, until it accepts the rest.
func (s *server) repair(o object) bool {
	for range 40 {
		_, err := s.post(o, "oracle", true)
		if err == nil || apierrors.IsAlreadyExists(err) {
			return true
		}
		status, ok := err.(apierrors.APIStatus)
		if !ok || !refusedByValidation(err) {
			return false
		}
		// Backwards, so that what is removed doesn't move what is still to be.
		removed := false
		for _, cause := range slices.Backward(status.Status().Details.Causes) {
			path := pathStep.FindAllString(cause.Field, -1)
			if !there(o, path) && removed {
				continue
			}
			if cause.Type == metav1.CauseTypeFieldValueRequired && !there(o, path) {
				path = path[:len(path)-1]
			}
			if len(path) < 4 {
				return false
			}
			removeAt(o, path)
			removed = true
		}
	}
	return false
}

func there(v any, path []string) bool {
	for _, key := range path {
		switch x := v.(type) {
		case object:
			v = x[key]
		case map[string]any:
			v = x[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(x) {
				return false
			}
			v = x[i]
		default:
			return false
		}
	}
	return v != nil
}

// Removes the value at a path, or the deepest one on the way to it.
func removeAt(v any, path []string) any {
	switch x := v.(type) {
	case object:
		return removeAt(map[string]any(x), path)
	case map[string]any:
		child, ok := x[path[0]]
		if meta, has := x["metadata"].(map[string]any); !ok && has { // template.annotations
			removeAt(meta, path)
			return x
		}
		if !ok {
			return nil
		}
		if len(path) > 1 {
			child = removeAt(child, path[1:])
		} else {
			child = nil
		}
		if child == nil {
			delete(x, path[0])
		} else {
			x[path[0]] = child
		}
		return x
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i >= len(x) {
			return nil
		}
		var child any
		if len(path) > 1 {
			child = removeAt(x[i], path[1:])
		}
		if child == nil {
			return append(x[:i:i], x[i+1:]...)
		}
		x[i] = child
		return x
	}
	return nil
}
