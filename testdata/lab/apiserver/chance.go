// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand"
)

// A generated object with a random history, and questions about it.
func (s *server) randomStory(seed int64, index, asks int) (story, bool) {
	g := generator{rand.New(rand.NewSource(seed + int64(index)*7919))}
	name := fmt.Sprintf("r%d", index)
	kind := "Deployment"
	if index%6 == 5 {
		kind = "DaemonSet"
	}
	first := g.workload(kind, name)
	if !s.repair(first) {
		return story{}, false
	}
	by := appliers[index%len(appliers)]
	t := story{name: name, steps: []step{{by: by, object: first}}}
	last := first
	for range g.Intn(4) {
		st := g.edit(kind, name, last)
		if st.object != nil {
			if !s.repair(st.object) {
				continue
			}
			st.by, last = by, st.object
		}
		t.steps = append(t.steps, st)
	}
	t.asks = append(t.asks, ask{"again", by, last})
	for i := range asks {
		t.asks = append(t.asks, s.randomAsk(g, fmt.Sprintf("ask%d", i), by, last))
	}
	return t, true
}

// Somebody else's edit, or a newer version by the applier itself.
func (g generator) edit(kind, name string, last object) step {
	switch g.Intn(4) {
	case 0:
		next := last.copy()
		g.mutate(next)
		g.mutate(next)
		return step{object: next, mayFail: true}
	case 1:
		c := g.container("c")
		delete(c, "volumeMounts")
		delete(c, "volumeDevices")
		part := object{"apiVersion": "apps/v1", "kind": kind, "metadata": map[string]any{"name": name}}
		part.mapAt("spec", "template", "spec")["containers"] = []any{c}
		return step{apply: part, manager: "other-apply", mayFail: true}
	}
	return step{edit: func(o object) { g.mutate(o); g.mutate(o) }, manager: pick(g, "editor", "kubectl-edit", "injector"), mayFail: true}
}

func (s *server) randomAsk(g generator, name string, by applier, last object) ask {
	next := last.copy()
	if g.chance(15) && !by.helm() {
		by = pick(g, argo, flux, kubectl, replacing)
	}
	switch n := g.Intn(100); {
	case n < 6:
		g.breakType(next)
		return ask{name + "-type", by, next}
	case n < 35:
		spec := next.mapAt("spec", "template")
		spec["spec"] = g.respell(spec["spec"], podSpecType)
		return ask{name + "-respell", by, next}
	}
	for range 3 {
		next = last.copy()
		for range 1 + g.Intn(3) {
			g.mutate(next)
		}
		if s.repair(next) {
			break
		}
	}
	return ask{name + "-change", by, next}
}
