// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"regexp"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
)

// How an object came to be as it is, and what is then asked of the server.
type story struct {
	name  string
	steps []step
	asks  []ask
}

// A real write. Its refusal is no error of the oracle where it may fail (an edit at random).
type step struct {
	by      applier
	object  object         // sent whole by the applier, unless
	edit    func(o object) // a foreign manager gets, changes and puts, or
	patch   []any          // sends a JSON patch, or
	apply   object         // applies a part
	manager string
	mayFail bool
}

type ask struct {
	name    string
	by      applier
	desired object
}

// What the server said to one ask.
type answered struct {
	Story, Ask string
	By         applier
	Desired    object
	Live       object
	Previous   object `json:",omitempty"` // Helm's release manifest, which perch never sees
	Server     object
	Refused    *refusal
	Conflicts  []string `json:",omitempty"` // the managers that server-side apply takes fields from
}

// A refusal by validation alone, of what a value means, leaves perch free to say anything.
type refusal struct {
	Text       string
	Validation bool
}

func (a answered) name() string { return a.Story + "/" + a.Ask + "/" + string(a.By) }

// A story ends early, with one answer, where the server refuses a step that may not fail.
func (s *server) tell(t story) ([]answered, error) {
	var previous object
	var by applier
	var out []answered
	if first := t.steps[0]; first.object != nil {
		got, err := s.apply(first.by, first.object, nil, true)
		out = append(out, answerTo(t.name, ask{"create", first.by, first.object}, nil, got, err))
	}
	for i, step := range t.steps {
		var err error
		switch {
		case step.edit != nil:
			err = s.editAs(previous, step)
		case step.patch != nil:
			_, err = s.patch(previous, types.JSONPatchType, encode(step.patch), step.manager, false)
		case step.apply != nil:
			_, err = s.patch(step.apply, types.ApplyPatchType, encode(step.apply), step.manager, false)
		default:
			if _, err = s.apply(step.by, step.object, previous, false); err == nil {
				previous, by = step.object, step.by
			}
		}
		if err != nil && !step.mayFail {
			return out, fmt.Errorf("%s: step %d: %w", t.name, i+1, err)
		}
	}
	live, err := s.get(previous.kind(), previous.name())
	if err != nil {
		return out, err
	}
	// kustomize-controller's take-over writes, so it is asked last.
	for _, last := range []bool{false, true} {
		for _, q := range t.asks {
			if (q.by == flux) != last || q.by.helm() && q.by != by {
				continue
			}
			got, err := s.apply(q.by, q.desired, previous, true)
			a := answerTo(t.name, q, live, got, err)
			if q.by == argo && err == nil {
				a.Conflicts = s.conflicts(q.desired)
			}
			if q.by.helm() {
				a.Previous = previous
			}
			out = append(out, a)
		}
	}
	s.remove(previous)
	return out, nil
}

var conflictWith = regexp.MustCompile(`conflict with "([^"]*)"`)

// Whom an apply without force would offend.
func (s *server) conflicts(desired object) []string {
	k := s.kinds[desired.kind()]
	_, err := answer(k.request(k.dry.Patch(types.ApplyPatchType), argo.manager()).Name(desired.name()).Body(encode(desired)))
	status, ok := err.(apierrors.APIStatus)
	if !ok || status.Status().Details == nil {
		return nil
	}
	managers := map[string]bool{}
	for _, cause := range status.Status().Details.Causes {
		if m := conflictWith.FindStringSubmatch(cause.Message); m != nil {
			managers[m[1]] = true
		}
	}
	return sortedKeys(managers)
}

func answerTo(story string, q ask, live, got object, err error) answered {
	a := answered{Story: story, Ask: q.name, By: q.by, Desired: q.desired, Live: live, Server: got}
	if err != nil {
		a.Refused = &refusal{clip(err.Error()), refusedByValidation(err)}
	}
	return a
}

func (s *server) editAs(o object, step step) error {
	live, err := s.get(o.kind(), o.name())
	if err != nil {
		return err
	}
	step.edit(live)
	_, err = s.put(live, step.manager, false)
	return err
}

// Stories are independent of each other: a few at once, answers in order.
func (s *server) tellAll(makers []func() (story, bool)) []answered {
	results := make([][]answered, len(makers))
	var wait sync.WaitGroup
	next := make(chan int)
	for range 4 {
		wait.Go(func() {
			for i := range next {
				t, ok := makers[i]()
				if !ok {
					continue
				}
				var err error
				// A refused first step is an answer of its own.
				if results[i], err = s.tell(t); err != nil && len(results[i]) == 0 {
					fmt.Fprintln(os.Stderr, "apiserver: left out:", clip(err.Error()))
				}
			}
		})
	}
	for i := range makers {
		next <- i
	}
	close(next)
	wait.Wait()
	var all []answered
	for _, r := range results {
		all = append(all, r...)
	}
	return all
}
