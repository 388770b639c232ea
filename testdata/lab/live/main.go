// SPDX-License-Identifier: Apache-2.0

// Command load puts what a dump recorded into an API server, as if it had been made there: Flagger's objects without Flagger.
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

const dataChecksum = "perch.dev/data-checksum"

type loader struct {
	dynamic.Interface
	uids map[string]any // of the dump, to those that the server gave
}

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	must(err)
	config.QPS, config.Burst, config.WarningHandler = 500, 1000, rest.NoWarnings{}
	l := loader{dynamic.NewForConfigOrDie(config), map[string]any{}}
	loaded := 0
	for _, path := range os.Args[1:] {
		text, err := os.ReadFile(path)
		must(err)
		var list unstructured.UnstructuredList
		must(json.Unmarshal(text, &list))
		for i := range list.Items {
			if o := &list.Items[i]; o.GetKind() != "ClusterInfo" {
				l.load(o)
				loaded++
			}
		}
	}
	fmt.Fprintf(os.Stderr, "load: %d objects\n", loaded)
}

func (l *loader) load(o *unstructured.Unstructured) {
	ctx := context.Background()
	l.namespace(o.GetNamespace())
	old := string(o.GetUID())
	o.SetUID("")
	o.SetResourceVersion("")
	for _, owner := range o.GetOwnerReferences() {
		if uid, known := l.uids[string(owner.UID)]; known {
			replaceOwner(o, string(owner.UID), uid)
		}
	}
	if annotations := o.GetAnnotations(); o.GetKind() == "Secret" && annotations[dataChecksum] != "" {
		// What it held isn't recorded; anything will do.
		delete(annotations, dataChecksum)
		o.SetAnnotations(annotations)
		must(unstructured.SetNestedField(o.Object, "aHVudGVyMg==", "data", "password"))
	}
	unstructured.RemoveNestedField(o.Object, "spec", "clusterIP")
	unstructured.RemoveNestedField(o.Object, "spec", "clusterIPs")
	owners := o.GetManagedFields()
	o.SetManagedFields(nil)
	client := l.Resource(resource(o.GroupVersionKind())).Namespace(o.GetNamespace())
	made, err := client.Create(ctx, o, metav1.CreateOptions{FieldManager: "load"})
	mustFor(err, o)
	l.uids[old] = string(made.GetUID())
	if status, found := o.Object["status"]; found && o.GetKind() == "Canary" {
		made.Object["status"] = status
		made, err = client.UpdateStatus(ctx, made, metav1.UpdateOptions{FieldManager: "flagger"})
		mustFor(err, o)
	}
	if len(owners) > 0 { // an update that changes nothing else leaves them as they are given
		made.SetManagedFields(owners)
		_, err = client.Update(ctx, made, metav1.UpdateOptions{FieldManager: "load"})
		mustFor(err, o)
	}
}

func replaceOwner(o *unstructured.Unstructured, old string, uid any) {
	owners, _, _ := unstructured.NestedSlice(o.Object, "metadata", "ownerReferences")
	for _, owner := range owners {
		if m := owner.(map[string]any); m["uid"] == old {
			m["uid"] = uid
		}
	}
	must(unstructured.SetNestedSlice(o.Object, owners, "metadata", "ownerReferences"))
}

func (l *loader) namespace(name string) {
	n := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": name}}}
	_, err := l.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}).Create(context.Background(), n, metav1.CreateOptions{})
	if !errors.IsAlreadyExists(err) {
		mustFor(err, n)
	}
}

func resource(kind schema.GroupVersionKind) schema.GroupVersionResource {
	if kind.Kind == "Canary" {
		return kind.GroupVersion().WithResource("canaries")
	}
	plural, _ := meta.UnsafeGuessKindToResource(kind)
	return plural
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "load:", strings.TrimSpace(err.Error()))
		os.Exit(1)
	}
}

func mustFor(err error, o *unstructured.Unstructured) {
	if err != nil {
		must(fmt.Errorf("%s %s/%s: %w", o.GetKind(), o.GetNamespace(), o.GetName(), err))
	}
}
