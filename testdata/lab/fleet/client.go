// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// kind is one kind that the lab reads or writes; the order is the order of a dump.
type kind struct {
	name       string
	resource   schema.GroupVersionResource
	namespaced bool
	dumped     bool
}

func gvr(group, version, resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: resource}
}

var kinds = []kind{
	{"CustomResourceDefinition", gvr("apiextensions.k8s.io", "v1", "customresourcedefinitions"), false, false},
	{"Namespace", gvr("", "v1", "namespaces"), false, false},
	{"ServiceAccount", gvr("", "v1", "serviceaccounts"), true, false},
	{"RuntimeClass", gvr("node.k8s.io", "v1", "runtimeclasses"), false, false},
	{"Canary", gvr("flagger.app", "v1beta1", "canaries"), true, true},
	{"Deployment", gvr("apps", "v1", "deployments"), true, true},
	{"DaemonSet", gvr("apps", "v1", "daemonsets"), true, true},
	{"Service", gvr("", "v1", "services"), true, true},
	{"ReplicaSet", gvr("apps", "v1", "replicasets"), true, true},
	{"ControllerRevision", gvr("apps", "v1", "controllerrevisions"), true, true},
	{"ConfigMap", gvr("", "v1", "configmaps"), true, true},
	{"Secret", gvr("", "v1", "secrets"), true, true},
	{"HorizontalPodAutoscaler", gvr("autoscaling", "v2", "horizontalpodautoscalers"), true, true},
	{"Pod", gvr("", "v1", "pods"), true, false},
}

type object = unstructured.Unstructured

// client talks to the lab's API server. A failure ends the program: a lab run is right or it is nothing.
type client struct {
	dynamic.Interface
	ctx    context.Context
	server string   // the API server's minor, as in 1.36
	dryRun []string // "All" while appliers only ask what would become of an object
}

func connect() *client {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	must(err)
	config.QPS, config.Burst = 200, 400
	config.WarningHandler = rest.NoWarnings{}
	d, err := dynamic.NewForConfig(config)
	must(err)
	info, err := discovery.NewDiscoveryClientForConfigOrDie(config).ServerVersion()
	must(err)
	return &client{d, context.Background(), info.Major + "." + info.Minor, nil}
}

func (c *client) of(kindName, namespace string) dynamic.ResourceInterface {
	for _, k := range kinds {
		if k.name == kindName {
			if k.namespaced {
				return c.Resource(k.resource).Namespace(namespace)
			}
			return c.Resource(k.resource)
		}
	}
	panic("unknown kind " + kindName)
}

// get returns nil if the object is absent.
func (c *client) get(kind, namespace, name string) *object {
	o, err := c.of(kind, namespace).Get(c.ctx, name, metav1.GetOptions{})
	if errors.IsNotFound(err) {
		return nil
	}
	must(err)
	return o
}

func (c *client) list(kind, selector string) []object {
	l, err := c.of(kind, "").List(c.ctx, metav1.ListOptions{LabelSelector: selector})
	must(err)
	return l.Items
}

// patch sends a merge patch as manager; a subresource may be named.
func (c *client) patch(manager, kind, namespace, name, patch string, subresource ...string) {
	_, err := c.of(kind, namespace).Patch(c.ctx, name, types.MergePatchType, []byte(patch),
		metav1.PatchOptions{FieldManager: manager}, subresource...)
	mustFor(err, kind+" "+namespace+"/"+name)
}

func (c *client) remove(kind, namespace, name string) {
	policy := metav1.DeletePropagationBackground
	mustFor(c.of(kind, namespace).Delete(c.ctx, name, metav1.DeleteOptions{PropagationPolicy: &policy}), kind+" "+namespace+"/"+name)
}

// namespace makes one, with the accounts that pods of it run as: without them none is admitted.
func (c *client) namespace(name string, accounts ...string) {
	text := "{apiVersion: v1, kind: Namespace, metadata: {name: " + name + "}}"
	for _, account := range accounts {
		text += "\n---\n{apiVersion: v1, kind: ServiceAccount, metadata: {name: " + account + ", namespace: " + name + "}}"
	}
	for _, o := range parse([]byte(text)) {
		_, err := c.of(o.GetKind(), o.GetNamespace()).Create(c.ctx, o, metav1.CreateOptions{FieldManager: "kubectl-create"})
		if !errors.IsAlreadyExists(err) {
			must(err)
		}
	}
}

// status is the part of a Canary that Flagger decides by.
type status struct {
	phase, applied, promoted string
	suspended                bool
}

func statusOf(o *object) (s status) {
	s.phase, _, _ = unstructured.NestedString(o.Object, "status", "phase")
	s.applied, _, _ = unstructured.NestedString(o.Object, "status", "lastAppliedSpec")
	s.promoted, _, _ = unstructured.NestedString(o.Object, "status", "lastPromotedSpec")
	s.suspended, _, _ = unstructured.NestedBool(o.Object, "spec", "suspend")
	return s
}

func (c *client) canary(namespace, name string) status {
	o := c.get("Canary", namespace, name)
	if o == nil {
		return status{phase: gone}
	}
	return statusOf(o)
}

// waitPhases waits until each canary, given as namespace/name, is in its phase.
func (c *client) waitPhases(timeout time.Duration, want map[string]string) {
	until(timeout, func() string {
		var left []string
		for key, phase := range want {
			namespace, name, _ := strings.Cut(key, "/")
			if s := c.canary(namespace, name); s.phase != phase {
				left = append(left, fmt.Sprintf("%s is %s, not %s", key, s.phase, phase))
			}
		}
		return strings.Join(left, "; ")
	})
}

// waitServed waits until the server serves what a new CustomResourceDefinition defines.
func (c *client) waitServed(name string) {
	until(time.Minute, func() string {
		conditions, _, _ := unstructured.NestedSlice(c.get("CustomResourceDefinition", "", name).Object, "status", "conditions")
		for _, condition := range conditions {
			if m := condition.(map[string]any); m["type"] == "Established" && m["status"] == "True" {
				return ""
			}
		}
		return name + " is not established"
	})
}

// until polls what is left to wait for; nothing left ends it.
func until(timeout time.Duration, left func() string) {
	for end := time.Now().Add(timeout); ; time.Sleep(500 * time.Millisecond) {
		what := left()
		if what == "" {
			return
		}
		if time.Now().After(end) {
			fatal("timed out after %v: %s", timeout, what)
		}
	}
}

func say(format string, args ...any) { fmt.Fprintf(os.Stderr, "fleet: "+format+"\n", args...) }

func fatal(format string, args ...any) {
	say(format, args...)
	os.Exit(1)
}

func must(err error) {
	if err != nil {
		fatal("%v", err)
	}
}

func mustFor(err error, subject string) {
	if err != nil {
		fatal("%s: %v", subject, err)
	}
}
