// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"sigs.k8s.io/yaml"
)

const lastApplied = corev1.LastAppliedConfigAnnotation

// applier writes one object the way a tool does, and returns what the server made of it. previous is what the same tool wrote
// last, nil at first.
type applier func(c *client, o, previous *object) *object

// serverSide is what kustomize-controller and Argo CD do: a forced server-side apply by their own manager.
func serverSide(manager string) applier {
	return func(c *client, o, _ *object) *object {
		body, err := json.Marshal(o)
		must(err)
		force := true
		made, err := c.of(o.GetKind(), o.GetNamespace()).Patch(c.ctx, o.GetName(), types.ApplyPatchType, body,
			metav1.PatchOptions{FieldManager: manager, Force: &force, DryRun: c.dryRun})
		mustFor(err, id(o))
		return made
	}
}

// clientSide is `kubectl apply`: last-applied in an annotation, a three-way patch against it.
func clientSide(c *client, o, _ *object) *object {
	const manager = "kubectl-client-side-apply"
	modified := withLastApplied(o)
	live := c.get(o.GetKind(), o.GetNamespace(), o.GetName())
	if live == nil {
		return create(c, manager, modified)
	}
	return threeWay(c, manager, []byte(live.GetAnnotations()[lastApplied]), modified, live)
}

// helm creates, then patches three-way against the manifest of its last release; it leaves no trace but its manager's name.
func helm(c *client, o, previous *object) *object {
	live := c.get(o.GetKind(), o.GetNamespace(), o.GetName())
	if live == nil {
		return create(c, "helm", o)
	}
	original, err := json.Marshal(previous)
	must(err)
	return threeWay(c, "helm", original, o, live)
}

// update creates, or replaces the whole object, as operators do that own it.
func update(manager string) applier {
	return func(c *client, o, _ *object) *object {
		live := c.get(o.GetKind(), o.GetNamespace(), o.GetName())
		if live == nil {
			return create(c, manager, o)
		}
		o = o.DeepCopy()
		o.SetResourceVersion(live.GetResourceVersion())
		made, err := c.of(o.GetKind(), o.GetNamespace()).Update(c.ctx, o, metav1.UpdateOptions{FieldManager: manager, DryRun: c.dryRun})
		mustFor(err, id(o))
		return made
	}
}

func create(c *client, manager string, o *object) *object {
	made, err := c.of(o.GetKind(), o.GetNamespace()).Create(c.ctx, o, metav1.CreateOptions{FieldManager: manager, DryRun: c.dryRun})
	if errors.IsAlreadyExists(err) {
		return o
	}
	mustFor(err, id(o))
	return made
}

func threeWay(c *client, manager string, original []byte, o, live *object) *object {
	modified, err := json.Marshal(o)
	must(err)
	current, err := json.Marshal(live)
	must(err)
	patchType := types.StrategicMergePatchType
	var patch []byte
	if typed := typedOf(o.GetKind()); typed != nil {
		meta, err := strategicpatch.NewPatchMetaFromStruct(typed)
		must(err)
		patch, err = strategicpatch.CreateThreeWayMergePatch(original, modified, current, meta, true)
		mustFor(err, id(o))
	} else {
		patchType = types.MergePatchType
		patch, err = jsonmergepatch.CreateThreeWayJSONMergePatch(original, modified, current)
		mustFor(err, id(o))
	}
	if string(patch) == "{}" {
		return live
	}
	made, err := c.of(o.GetKind(), o.GetNamespace()).Patch(c.ctx, o.GetName(), patchType, patch,
		metav1.PatchOptions{FieldManager: manager, DryRun: c.dryRun})
	mustFor(err, id(o))
	return made
}

func typedOf(kind string) any {
	switch kind {
	case "Deployment":
		return &appsv1.Deployment{}
	case "DaemonSet":
		return &appsv1.DaemonSet{}
	case "Service":
		return &corev1.Service{}
	case "ConfigMap":
		return &corev1.ConfigMap{}
	case "Secret":
		return &corev1.Secret{}
	case "HorizontalPodAutoscaler":
		return &autoscalingv2.HorizontalPodAutoscaler{}
	}
	return nil
}

func withLastApplied(o *object) *object {
	o = o.DeepCopy()
	annotations := o.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	o.SetAnnotations(annotations) // kubectl's text has the map even when it is empty
	text, err := json.Marshal(o)
	must(err)
	annotations[lastApplied] = string(text) + "\n"
	o.SetAnnotations(annotations)
	return o
}

func id(o *object) string { return o.GetKind() + " " + o.GetNamespace() + "/" + o.GetName() }

// The newline before a separator is the document's: a block scalar may end with it.
var separator = regexp.MustCompile(`(?m)^---\n`)

// parse reads YAML documents, comments and empty ones skipped.
func parse(text []byte) (objects []*object) {
	for _, document := range separator.Split(string(text), -1) {
		raw, err := yaml.YAMLToJSON([]byte(document))
		must(err)
		if string(raw) == "null" {
			continue
		}
		o := &unstructured.Unstructured{}
		mustFor(o.UnmarshalJSON(raw), document)
		objects = append(objects, o)
	}
	return objects
}

// readTree gives the text of every YAML file below dir, by its path relative to dir.
func readTree(dir string) map[string]string {
	files := map[string]string{}
	must(filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		relative, _ := filepath.Rel(dir, path)
		files[relative] = string(text)
		return err
	}))
	return files
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// named finds an applier by the word of the command line.
func named(as, manager string) applier {
	switch as {
	case "server-side":
		return serverSide(manager)
	case "client-side":
		return clientSide
	case "helm":
		return helm
	case "update":
		return update(manager)
	}
	fatal("unknown applier '%s'", as)
	return nil
}
