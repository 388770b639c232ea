// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"reflect"
)

// One object under construction. What it is like is drawn once per object, so that a run has bare
// ones, full ones, tidy ones and odd ones.
type object struct {
	*rand.Rand
	bytes.Buffer
	density float64 // how likely a field is there that needn't be
	budget  int     // values left before only what must be there is written
	odd     float64 // how likely a legal value is spelled oddly
	junk    float64 // how likely a struct has keys that no type knows
	blanks  bool    // white space between tokens
	escapes int     // how strings are escaped, an index of escapers
	hostile bool    // one value that Go refuses, or nearly
	parked  bool    // a DaemonSet that Flagger has scaled to zero
}

func newObject(seed, index uint64) *object {
	r := rand.New(rand.NewPCG(seed, index))
	o := &object{Rand: r, escapes: r.IntN(len(escapers))}
	o.density = pick(r, 0, 0.05, 0.1, 0.2, 0.4, 0.8)
	o.budget = int(math.Exp(2 + 5*r.Float64()))
	o.odd = pick(r, 0, 0, 0.02, 0.1, 0.5)
	o.junk = pick(r, 0, 0, 0, 0.02, 0.1)
	o.blanks = r.IntN(10) == 0
	o.hostile = r.IntN(25) == 0
	return o
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func (o *object) chance(p float64) bool { return p > 0 && o.Float64() < p }

// turn hands out the leaves of a shape in order, a few at a time.
type turn struct{ next, rounds int }

func (t *turn) take(s *shape, n int) []int {
	leaves := make([]int, n)
	for i := range leaves {
		leaves[i] = t.next
		if t.next++; t.next == s.leaves {
			t.next, t.rounds = 0, t.rounds+1
		}
	}
	return leaves
}

func generate(out *bufio.Writer, n int, seed uint64) {
	var pods, services turn
	for i := range n {
		o := newObject(seed, uint64(i))
		switch i % 10 {
		case 8, 9:
			o.write("v1", "Service", i, func() { o.value(serviceSpec, services.take(serviceSpec, 1+o.IntN(3))) })
		case 6, 7:
			leaves := pods.take(podTemplate, 1+o.IntN(7))
			if o.parked = o.IntN(2) == 0; o.parked {
				leaves = append(leaves, podTemplate.leaf("spec", "nodeSelector"))
			}
			o.write("apps/v1", "DaemonSet", i, func() { o.template(leaves) })
		default:
			o.write("apps/v1", "Deployment", i, func() { o.template(pods.take(podTemplate, 1+o.IntN(7))) })
		}
		out.Write(o.Bytes())
	}
	fmt.Fprintf(os.Stderr, "%d objects; all %d places of a pod template set %d times or more, all %d of a service %d\n",
		n, podTemplate.leaves, pods.rounds, serviceSpec.leaves, services.rounds)
}

func (o *object) write(apiVersion, kind string, i int, spec func()) {
	fmt.Fprintf(o, `{"apiVersion":"%s","kind":"%s","metadata":{"name":"o%d","namespace":"fuzz"},"spec":`, apiVersion, kind, i)
	spec()
	o.WriteString("}\n")
}

func (o *object) template(leaves []int) {
	if o.IntN(300) == 0 {
		o.WriteString(pick(o.Rand, `{}`, `null`, `{"template":null}`, `{"template":{}}`, `{"template":{"spec":null}}`))
		return
	}
	fmt.Fprintf(o, `{"replicas":%d,"selector":{"matchLabels":{"app":"o"}},"template":`, o.IntN(4))
	o.value(podTemplate, leaves)
	o.WriteByte('}')
}

func (o *object) blank() {
	if o.blanks {
		o.WriteString(pick(o.Rand, "", "", " ", "  ", "\t", "\r"))
	}
}

// value writes a value of a shape in which the given leaves are there.
func (o *object) value(s *shape, leaves []int) {
	if s.kind == reflect.Pointer {
		s = s.elem
	}
	o.budget--
	if len(leaves) > 0 && o.hostile && s.leaves == 1 {
		o.hostile = false
		o.WriteString(o.refused(s))
		return
	}
	if o.chance(0.02) && (len(leaves) == 0 || s.leaves == 1) {
		o.WriteString("null")
		return
	}
	switch {
	case s.fields != nil:
		o.structure(s, leaves)
	case s.elem != nil && s.kind == reflect.Slice:
		o.list(s.elem, leaves)
	case s.elem != nil:
		o.mapping(s.elem, leaves)
	default:
		o.WriteString(o.scalar(s))
	}
}

func (o *object) structure(s *shape, leaves []int) {
	o.WriteByte('{')
	written := 0
	entry := func(key string) {
		if written++; written > 1 {
			o.WriteByte(',')
		}
		o.blank()
		o.str(key)
		o.blank()
		o.WriteByte(':')
		o.blank()
	}
	for _, i := range o.Perm(len(s.fields)) {
		m := s.fields[i]
		inside := within(leaves, m.first, m.shape.leaves)
		if len(inside) == 0 && (o.budget < 0 || !o.chance(o.density)) {
			continue
		}
		entry(m.name)
		if o.parked && m.name == "nodeSelector" {
			o.WriteString(pick(o.Rand, parkedSelectors...))
			continue
		}
		o.value(m.shape, inside)
		if o.chance(o.junk) {
			entry(wrongCase(m.name))
			o.WriteString(o.anything(2))
		}
	}
	if o.chance(o.junk) {
		entry(pick(o.Rand, "unknownField", "x-odd", "ключ", "zz top"))
		o.WriteString(o.anything(3))
	}
	o.blank()
	o.WriteByte('}')
}

var parkedSelectors = []string{
	`{"flagger.app/scale-to-zero":"true"}`, `{"kubernetes.io/os":"linux","flagger.app/scale-to-zero":"true"}`, `{"flagger.app/scale-to-zero":null}`,
	`{"flagger.app/scale-to-zero":"","flagger.app/scale-to-zero-":"x","":""}`,
}

// within gives the leaves of a field, counted from its own first one.
func within(leaves []int, first, n int) []int {
	var inside []int
	for _, l := range leaves {
		if l >= first && l < first+n {
			inside = append(inside, l-first)
		}
	}
	return inside
}

func (o *object) list(elem *shape, leaves []int) {
	n := o.length(leaves)
	o.WriteByte('[')
	for i := range n {
		if i > 0 {
			o.WriteByte(',')
		}
		o.blank()
		o.value(elem, leaves)
		leaves = nil
	}
	o.blank()
	o.WriteByte(']')
}

func (o *object) mapping(elem *shape, leaves []int) {
	n := o.length(leaves)
	o.WriteByte('{')
	seen := map[string]bool{}
	for range n {
		key := o.mapKey(elem)
		if seen[key] {
			continue
		}
		if seen[key] = true; len(seen) > 1 {
			o.WriteByte(',')
		}
		o.blank()
		o.str(key)
		o.WriteByte(':')
		o.blank()
		o.value(elem, leaves)
		leaves = nil
	}
	o.WriteByte('}')
}

func (o *object) length(leaves []int) int {
	if o.budget < 0 {
		return min(len(leaves), 1)
	}
	n := pick(o.Rand, 0, 1, 1, 1, 2, 2, 3, 5)
	if len(leaves) > 0 && n == 0 && o.IntN(8) > 0 {
		n = 1
	}
	return n
}
