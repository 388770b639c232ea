// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"sort"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	namespace = "shop"
	system    = "flagger-system"
	guarded   = "perch-guard"
)

var (
	canaryKind    = schema.GroupVersionResource{Group: "flagger.app", Version: "v1beta1", Resource: "canaries"}
	configMapKind = schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
	eventKind     = schema.GroupVersionResource{Group: "events.k8s.io", Version: "v1", Resource: "events"}
	ctx           = context.Background()
	seeder        = metav1.UpdateOptions{FieldManager: "seed"}
	notes         = []string{"held-for", "held-by", "held-at", "held-until", "held-reason", "undo"}
	times         = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`)
)

type cluster struct {
	dynamic.Interface
	mu     sync.Mutex
	now    string   // what is being tried
	silent []string // canaries that were suspended and didn't say all of why
	seen   int      // versions of canaries
}

type snapshot map[string]*unstructured.Unstructured

func newCluster(kubeconfig string) *cluster {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	must(err)
	config.QPS, config.Burst = 500, 1000
	config.WarningHandler = rest.NoWarnings{}
	c := &cluster{Interface: dynamic.NewForConfigOrDie(config)}
	go c.watch()
	return c
}

func (c *cluster) canaries() dynamic.ResourceInterface {
	return c.Resource(canaryKind).Namespace(namespace)
}

func (c *cluster) trying(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = what
}

// watch looks at every version that a canary ever has.
func (c *cluster) watch() {
	w, err := c.canaries().Watch(ctx, metav1.ListOptions{})
	must(err)
	for event := range w.ResultChan() {
		o, ok := event.Object.(*unstructured.Unstructured)
		if !ok {
			continue
		}
		c.mu.Lock()
		c.seen++
		if missing := unsaid(o); missing != "" {
			c.silent = append(c.silent, fmt.Sprintf("%s: %s is suspended without %s", c.now, o.GetName(), missing))
		}
		c.mu.Unlock()
	}
}

// unsaid is which of its notes a suspended canary lacks.
func unsaid(o *unstructured.Unstructured) string {
	suspended, _, _ := unstructured.NestedBool(o.Object, "spec", "suspend")
	var missing []string
	for _, note := range notes {
		if suspended && o.GetAnnotations()["perch.dev/"+note] == "" {
			missing = append(missing, note)
		}
	}
	return strings.Join(missing, ", ")
}

func (c *cluster) read() snapshot {
	list, err := c.canaries().List(ctx, metav1.ListOptions{})
	must(err)
	s := snapshot{}
	for i := range list.Items {
		s[list.Items[i].GetName()] = &list.Items[i]
	}
	return s
}

// restore makes the canaries what they were in s, and forgets what guard has published.
func (c *cluster) restore(s snapshot) {
	c.trying("restore")
	now := c.read()
	for name, was := range s {
		if is := now[name]; is == nil || !same(is, was) {
			c.put(was, is)
		}
	}
	for name := range now {
		if s[name] == nil {
			must(c.canaries().Delete(ctx, name, metav1.DeleteOptions{}))
		}
	}
	err := c.Resource(configMapKind).Namespace(system).Delete(ctx, guarded, metav1.DeleteOptions{})
	if !errors.IsNotFound(err) {
		must(err)
	}
}

func same(a, b *unstructured.Unstructured) bool { return comparable(a) == comparable(b) }

// put goes by spec, status and owners of fields, each of which is a request of its own.
func (c *cluster) put(was, is *unstructured.Unstructured) {
	var err error
	if is == nil {
		is, err = c.canaries().Create(ctx, bare(was), metav1.CreateOptions{FieldManager: "seed"})
		must(err)
	}
	is.Object["spec"] = was.DeepCopy().Object["spec"]
	is.SetAnnotations(was.GetAnnotations())
	is, err = c.canaries().Update(ctx, is, seeder)
	must(err)
	is.Object["status"] = was.DeepCopy().Object["status"]
	is, err = c.canaries().UpdateStatus(ctx, is, seeder)
	must(err)
	is.SetManagedFields(was.GetManagedFields())
	_, err = c.canaries().Update(ctx, is, seeder)
	must(err)
}

func bare(o *unstructured.Unstructured) *unstructured.Unstructured {
	o = o.DeepCopy()
	for _, field := range []string{"uid", "resourceVersion", "managedFields", "generation", "creationTimestamp"} {
		unstructured.RemoveNestedField(o.Object, "metadata", field)
	}
	return o
}

// comparable is all of a canary but uid, versions and the times of a hold.
func comparable(o *unstructured.Unstructured) string {
	annotations := map[string]string{}
	for key, value := range o.GetAnnotations() {
		annotations[key] = times.ReplaceAllString(value, "TIME")
	}
	var owners []string
	for _, entry := range o.GetManagedFields() {
		if entry.Manager == "perch" {
			owners = append(owners, string(entry.Operation)+" "+entry.Subresource+" "+string(entry.FieldsV1.Raw))
		}
	}
	sort.Strings(owners)
	return text(map[string]any{"spec": o.Object["spec"], "status": o.Object["status"], "labels": o.GetLabels(),
		"finalizers": o.GetFinalizers(), "annotations": annotations, "owned by perch": owners})
}

// state is what runs are compared by: the canaries, and what guard published.
func (c *cluster) state() string {
	var lines []string
	for name, o := range c.read() {
		lines = append(lines, name+" "+comparable(o))
	}
	sort.Strings(lines)
	o, err := c.Resource(configMapKind).Namespace(system).Get(ctx, guarded, metav1.GetOptions{})
	if errors.IsNotFound(err) {
		return strings.Join(append(lines, "nothing is published"), "\n")
	}
	must(err)
	return strings.Join(append(lines, times.ReplaceAllString(text(o.Object["data"]), "TIME")), "\n")
}

func text(v any) string {
	b, err := json.Marshal(v)
	must(err)
	return string(b)
}

// difference is where two states begin to differ, of both.
func difference(want, got string) string {
	i := 0
	for i < len(want) && i < len(got) && want[i] == got[i] {
		i++
	}
	if want == got {
		return ""
	}
	line := want[strings.LastIndex("\n"+want[:i], "\n"):]
	name, _, _ := strings.Cut(line, " ")
	from := max(0, i-80)
	return fmt.Sprintf("of %s\nwanted: …%s\ngot:    …%s", name, want[from:min(i+160, len(want))], got[from:min(i+160, len(got))])
}
