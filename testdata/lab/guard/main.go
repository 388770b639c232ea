// SPDX-License-Identifier: Apache-2.0

// Command seed puts a recorded dump into a cluster as it was: status and owners of fields too. Only uids,
// resourceVersions and times of creation are new, and Secrets are left out, as a dump has no data of theirs.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const usage = "usage: seed DUMP [NAMESPACE...]"

var create = metav1.CreateOptions{FieldManager: "seed"}
var update = metav1.UpdateOptions{FieldManager: "seed"}

type seeder struct {
	dynamic.Interface
	ctx  context.Context
	uids map[any]string // of the dump → of this cluster
}

func main() {
	if len(os.Args) < 2 {
		fatal(usage)
	}
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	must(err)
	config.QPS, config.Burst = 200, 400
	config.WarningHandler = rest.NoWarnings{}
	s := &seeder{dynamic.NewForConfigOrDie(config), context.Background(), map[any]string{}}
	text, err := os.ReadFile(os.Args[1])
	must(err)
	var list struct{ Items []json.RawMessage }
	must(json.Unmarshal(text, &list))
	n := 0
	for _, raw := range list.Items {
		o := &unstructured.Unstructured{}
		must(o.UnmarshalJSON(raw))
		if o.GetKind() != "ClusterInfo" && o.GetKind() != "Secret" && wanted(o.GetNamespace()) {
			s.put(o)
			n++
		}
	}
	fmt.Fprintf(os.Stderr, "seed: %d objects\n", n)
}

func wanted(namespace string) bool {
	for _, name := range os.Args[2:] {
		if name == namespace {
			return true
		}
	}
	return len(os.Args) == 2
}

func (s *seeder) put(o *unstructured.Unstructured) {
	s.namespace(o.GetNamespace())
	fields, old := o.GetManagedFields(), string(o.GetUID())
	status, hasStatus := o.Object["status"]
	for _, field := range []string{"uid", "resourceVersion", "managedFields", "generation", "creationTimestamp",
		"deletionTimestamp", "deletionGracePeriodSeconds"} {
		unstructured.RemoveNestedField(o.Object, "metadata", field)
	}
	s.adopt(o)
	objects := s.resource(o)
	made, err := objects.Create(s.ctx, o, create)
	mustFor(err, o)
	s.uids[old] = string(made.GetUID())
	if o.GetKind() == "Canary" && hasStatus {
		made.Object["status"] = status
		made, err = objects.UpdateStatus(s.ctx, made, update)
		mustFor(err, o)
	}
	made.SetManagedFields(fields)
	_, err = objects.Update(s.ctx, made, update)
	mustFor(err, o)
}

func (s *seeder) resource(o *unstructured.Unstructured) dynamic.ResourceInterface {
	plural, _ := meta.UnsafeGuessKindToResource(o.GroupVersionKind())
	return s.Resource(plural).Namespace(o.GetNamespace())
}

// adopt names owners by the uids that they got here; a dump has owners before what they own.
func (s *seeder) adopt(o *unstructured.Unstructured) {
	owners, _, _ := unstructured.NestedSlice(o.Object, "metadata", "ownerReferences")
	for _, owner := range owners {
		m := owner.(map[string]any)
		if uid, ok := s.uids[m["uid"]]; ok {
			m["uid"] = uid
		}
	}
	if owners != nil {
		must(unstructured.SetNestedSlice(o.Object, owners, "metadata", "ownerReferences"))
	}
}

func (s *seeder) namespace(name string) {
	n := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace",
		"metadata": map[string]any{"name": name}}}
	_, err := s.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Create(s.ctx, n, create)
	if !errors.IsAlreadyExists(err) {
		must(err)
	}
}

func fatal(text string) {
	fmt.Fprintln(os.Stderr, strings.TrimSpace(text))
	os.Exit(1)
}

func must(err error) {
	if err != nil {
		fatal("seed: " + err.Error())
	}
}

func mustFor(err error, o *unstructured.Unstructured) {
	if err != nil {
		fatal(fmt.Sprintf("seed: %s %s/%s: %v", o.GetKind(), o.GetNamespace(), o.GetName(), err))
	}
}
