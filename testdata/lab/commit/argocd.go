// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"encoding/json"
	stderrors "errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const poll = 700 * time.Millisecond

// sync is one of Argo CD's: phase after phase, in each the hooks wave by wave, in the middle the app's own manifests.
type sync struct {
	client         client.Client
	app, namespace string
	how            []string // kubectl apply's arguments
	script         string   // Canaries' health
	deadline       time.Time
}

// Terminated by somebody, since it took too long: no SyncFail hook runs then.
var errTerminated = fmt.Errorf("the sync is terminated")

func argocd(args []string) error {
	flags := flag.NewFlagSet("argocd", flag.ExitOnError)
	clientSide := flags.Bool("client-side", false, "apply with last-applied, not server-side")
	health := flags.String("health", "bundled", "script for Canaries' health")
	timeout := flags.Duration("timeout", 3*time.Minute, "of the sync, after which somebody terminates it")
	phases := flags.String("phases", "PreSync,Sync,PostSync", "what of it is done before it is terminated")
	flags.Parse(args)
	s := &sync{app: flags.Arg(0), namespace: flags.Arg(1), deadline: time.Now().Add(*timeout)}
	s.how = []string{"apply", "--field-manager=argocd-controller", "--server-side", "--force-conflicts", "-f", "-"}
	if *clientSide {
		s.how = []string{"apply", "--field-manager=argocd-controller", "-f", "-"}
	}
	var err error
	if s.script, err = healthScript(*health); err != nil {
		return err
	}
	if s.client, err = connect(); err != nil {
		return err
	}
	all, err := manifests(os.Stdin)
	if err != nil {
		return err
	}
	s.track(all)
	for _, phase := range strings.Split(*phases, ",") {
		if err := s.phase(phase, of(all, phase)); err != nil {
			fmt.Printf("%s: %v\n", phase, err)
			if stderrors.Is(err, errTerminated) {
				return err
			}
			if failed := s.phase("SyncFail", of(all, "SyncFail")); failed != nil {
				fmt.Printf("SyncFail: %v\n", failed)
			}
			return fmt.Errorf("the sync failed")
		}
	}
	return nil
}

// Helm's hooks are taken for Argo CD's.
var helmPhases = map[string]string{
	"pre-install": "PreSync", "pre-upgrade": "PreSync", "post-install": "PostSync", "post-upgrade": "PostSync",
}

func phaseOf(o *object) string {
	if phase := o.GetAnnotations()["argocd.argoproj.io/hook"]; phase != "" {
		return phase
	}
	hooks := o.GetAnnotations()["helm.sh/hook"]
	if hooks == "" {
		return "Sync"
	}
	for _, hook := range strings.Split(hooks, ",") {
		if phase := helmPhases[strings.TrimSpace(hook)]; phase != "" {
			return phase
		}
	}
	return "Skip"
}

func wave(o *object) int {
	for _, key := range []string{"argocd.argoproj.io/sync-wave", "helm.sh/hook-weight"} {
		if n, err := strconv.Atoi(o.GetAnnotations()[key]); err == nil {
			return n
		}
	}
	return 0
}

func of(all []*object, phase string) (some []*object) {
	for _, o := range all {
		if phaseOf(o) == phase {
			some = append(some, o)
		}
	}
	sort.SliceStable(some, func(i, j int) bool { return wave(some[i]) < wave(some[j]) })
	return some
}

// track marks everything as the application's.
func (s *sync) track(all []*object) {
	for _, o := range all {
		if o.GetNamespace() == "" {
			o.SetNamespace(s.namespace)
		}
		annotations := o.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations["argocd.argoproj.io/tracking-id"] = fmt.Sprintf("%s:%s/%s:%s/%s",
			s.app, o.GroupVersionKind().Group, o.GetKind(), o.GetNamespace(), o.GetName())
		o.SetAnnotations(annotations)
	}
}

func (s *sync) phase(name string, objects []*object) error {
	if name == "Sync" {
		return s.own(objects)
	}
	for i := 0; i < len(objects); {
		end := i
		for end < len(objects) && wave(objects[end]) == wave(objects[i]) {
			if err := s.hook(objects[end]); err != nil {
				return err
			}
			end++
		}
		for ; i < end; i++ {
			if err := s.finished(objects[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// own applies the app's manifests, and waits for what a PostSync hook waits for.
func (s *sync) own(objects []*object) error {
	if err := s.apply(objects...); err != nil {
		return err
	}
	for _, o := range objects {
		if err := s.await(o, s.healthy); err != nil {
			return err
		}
	}
	return nil
}

func (s *sync) hook(o *object) error {
	background := client.PropagationPolicy("Background")
	if err := s.client.Delete(context.Background(), o.DeepCopy(), background); err != nil && !errors.IsNotFound(err) {
		return err
	}
	for {
		if err := s.client.Get(context.Background(), client.ObjectKeyFromObject(o), o.DeepCopy()); errors.IsNotFound(err) {
			return s.apply(o)
		} else if err != nil {
			return err
		}
		time.Sleep(poll)
	}
}

// apply is kubectl's, of which Argo CD's is made.
func (s *sync) apply(objects ...*object) error {
	var in bytes.Buffer
	for _, o := range objects {
		text, err := json.Marshal(o)
		if err != nil {
			return err
		}
		in.Write(append(text, '\n'))
	}
	command := exec.Command("kubectl", s.how...)
	command.Stdin = &in
	if said, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("kubectl: %s", bytes.TrimSpace(said))
	}
	return nil
}

func (s *sync) finished(o *object) error {
	if !slices.Contains([]string{"Job", "Pod"}, o.GetKind()) {
		return nil
	}
	return s.await(o, func(live *object) (bool, error) {
		phase := text(live, "status", "phase")
		switch {
		case phase == "Succeeded" || condition(live, "Complete") != "":
			fmt.Printf("%s %s %s: done\n", phaseOf(o), o.GetKind(), o.GetName())
			return true, nil
		case phase == "Failed":
			return false, fmt.Errorf("%s %s: %s", o.GetKind(), o.GetName(), terminated(live))
		case condition(live, "Failed") != "":
			return false, fmt.Errorf("%s %s: %s", o.GetKind(), o.GetName(), condition(live, "Failed"))
		}
		return false, nil
	})
}

// await asks until the live object is as it should be, or the sync is terminated.
func (s *sync) await(o *object, done func(*object) (bool, error)) error {
	for {
		live := o.DeepCopy()
		if err := s.client.Get(context.Background(), client.ObjectKeyFromObject(o), live); err != nil {
			return err
		}
		if ok, err := done(live); ok || err != nil {
			return err
		}
		if time.Now().After(s.deadline) {
			return fmt.Errorf("%s %s: %w", o.GetKind(), o.GetName(), errTerminated)
		}
		time.Sleep(poll)
	}
}

func (s *sync) healthy(live *object) (bool, error) {
	if live.GetKind() != "Canary" {
		return true, nil
	}
	status, message, err := judge(s.script, live)
	if status == "Degraded" {
		err = fmt.Errorf("Canary %s is degraded: %s", live.GetName(), message)
	}
	return status == "Healthy", err
}

func text(o *object, path ...string) string {
	at := any(o.Object)
	for _, key := range path {
		m, _ := at.(map[string]any)
		at = m[key]
	}
	s, _ := at.(string)
	return s
}

// condition gives the message of a condition that is true, or its type if it has none.
func condition(o *object, kind string) string {
	status, _ := o.Object["status"].(map[string]any)
	conditions, _ := status["conditions"].([]any)
	for _, c := range conditions {
		if m := c.(map[string]any); m["type"] == kind && m["status"] == "True" {
			if message, _ := m["message"].(string); message != "" {
				return message
			}
			return kind
		}
	}
	return ""
}

// terminated is what Argo CD shows of a Pod that failed: what its container left to be read.
func terminated(o *object) string {
	status, _ := o.Object["status"].(map[string]any)
	containers, _ := status["containerStatuses"].([]any)
	for _, c := range containers {
		one := &object{Object: c.(map[string]any)}
		if message := text(one, "state", "terminated", "message"); message != "" {
			return message
		}
	}
	return "failed"
}
