// SPDX-License-Identifier: Apache-2.0

package main

import (
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// A shape is what JSON can say for one Go type. Every place where a scalar can stand is a leaf;
// leaves are numbered in field order, so that a run can visit each of them in turn.
type shape struct {
	kind   reflect.Kind
	name   string   // of the Go type
	elem   *shape   // of a pointer, slice or map
	fields []member // of a struct
	leaves int
}

type member struct {
	name  string // JSON key
	shape *shape
	first int // number of its first leaf
}

var shapes = map[reflect.Type]*shape{}

// Types that read JSON themselves.
var special = map[reflect.Type]bool{
	reflect.TypeOf(resource.Quantity{}):  true,
	reflect.TypeOf(intstr.IntOrString{}): true,
	reflect.TypeOf(metav1.Time{}):        true,
	reflect.TypeOf(metav1.FieldsV1{}):    true,
}

var (
	podTemplate = shapeOf(reflect.TypeOf(corev1.PodTemplateSpec{}))
	serviceSpec = shapeOf(reflect.TypeOf(corev1.ServiceSpec{}))
)

func shapeOf(t reflect.Type) *shape {
	if s := shapes[t]; s != nil {
		return s
	}
	s := &shape{kind: t.Kind(), name: t.String(), leaves: 1}
	shapes[t] = s
	switch {
	case special[t]:
	case t.Kind() == reflect.Struct:
		s.addFields(t)
		s.number()
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
		s.elem = shapeOf(t.Elem())
		s.leaves = s.elem.leaves
	}
	return s
}

func (s *shape) addFields(t reflect.Type) {
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported() && !f.Anonymous:
		case f.Anonymous && name == "":
			s.addFields(f.Type)
		default:
			s.fields = append(s.fields, member{name: name, shape: shapeOf(f.Type)})
		}
	}
}

func (s *shape) number() {
	n := 0
	for i := range s.fields {
		s.fields[i].first = n
		n += s.fields[i].shape.leaves
	}
	s.leaves = max(n, 1)
}

// leaf gives the number of the first leaf below a path.
func (s *shape) leaf(path ...string) int {
	n := 0
	for _, name := range path {
		for _, m := range s.fields {
			if m.name == name {
				n += m.first
				s = m.shape
				break
			}
		}
	}
	return n
}
