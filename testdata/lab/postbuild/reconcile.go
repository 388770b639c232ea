// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/fluxcd/pkg/kustomize"
	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/normalize"
	ssautil "github.com/fluxcd/pkg/ssa/utils"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

type reconciler struct {
	client         client.Client
	kustomization  *unstructured.Unstructured
	folder         string
	strict, always bool
}

// copied is the folder where the controller may write a kustomization.yaml of its own.
func (r *reconciler) copied() (string, error) {
	into, err := os.MkdirTemp("", "postbuild")
	if err != nil {
		return "", err
	}
	if into, err = filepath.EvalSymlinks(into); err != nil {
		return "", err
	}
	return into, os.CopyFS(into, os.DirFS(r.folder))
}

func (r *reconciler) build(ctx context.Context) ([]*unstructured.Unstructured, error) {
	work, err := r.copied()
	if work != "" {
		defer os.RemoveAll(work)
	}
	if err != nil {
		return nil, err
	}
	if _, err := kustomize.NewGenerator(work, *r.kustomization).WriteFile(work); err != nil {
		return nil, err
	}
	resources, err := kustomize.SecureBuild(work, work, false)
	if err != nil {
		return nil, err
	}
	for _, resource := range resources.Resources() {
		substituted, err := kustomize.SubstituteVariables(ctx, r.client, *r.kustomization, resource,
			kustomize.SubstituteWithStrict(r.strict), kustomize.SubstituteWithAlways(r.always))
		if err != nil {
			return nil, fmt.Errorf("post build of %s: %w", resource.GetName(), err)
		}
		if substituted == nil {
			continue
		}
		if _, err := resources.Replace(substituted); err != nil {
			return nil, err
		}
	}
	text, err := resources.AsYaml()
	if err != nil {
		return nil, err
	}
	return ssautil.ReadObjects(bytes.NewReader(text))
}

func (r *reconciler) apply(ctx context.Context, objects []*unstructured.Unstructured) (*ssa.ChangeSet, error) {
	manager := ssa.NewResourceManager(r.client, nil, ssa.Owner{Field: controller, Group: group})
	options := ssa.DefaultApplyOptions()
	options.ExclusionSelector = map[string]string{group + "/reconcile": "disabled", group + "/ssa": "Ignore"}
	options.IfNotPresentSelector = map[string]string{group + "/ssa": "IfNotPresent"}
	options.ForceSelector = map[string]string{group + "/force": "enabled"}
	options.Cleanup = ssa.ApplyCleanupOptions{
		Annotations: []string{corev1.LastAppliedConfigAnnotation},
		FieldManagers: []ssa.FieldManager{
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: controller, OperationType: metav1.ManagedFieldsOperationUpdate},
		},
		Exclusions: map[string]string{group + "/ssa": "Merge"},
	}
	if err := normalize.UnstructuredList(objects); err != nil {
		return nil, err
	}
	manager.SetOwnerLabels(objects, r.kustomization.GetName(), r.kustomization.GetNamespace())
	return manager.ApplyAllStaged(ctx, objects, options)
}

// watched is the versions of the ConfigMaps that are labelled so that a change of theirs is reconciled at once.
func (r *reconciler) watched(ctx context.Context) string {
	var versions string
	references, _, _ := unstructured.NestedSlice(r.kustomization.Object, "spec", "postBuild", "substituteFrom")
	for _, reference := range references {
		name, _, _ := unstructured.NestedString(reference.(map[string]any), "name")
		var configMap corev1.ConfigMap
		key := types.NamespacedName{Namespace: r.kustomization.GetNamespace(), Name: name}
		if err := r.client.Get(ctx, key, &configMap); err != nil {
			continue
		}
		if configMap.Labels["reconcile.fluxcd.io/watch"] == "Enabled" {
			versions += name + configMap.ResourceVersion + " "
		}
	}
	return versions
}

// run polls where the controller watches; what it then does is the same.
func (r *reconciler) run(ctx context.Context) error {
	interval, err := time.ParseDuration(os.Getenv("INTERVAL"))
	if err != nil {
		interval = 10 * time.Minute
	}
	for {
		versions, at := r.watched(ctx), time.Now()
		if err := r.reconcile(ctx); err != nil {
			fmt.Println(err)
		}
		for versions == r.watched(ctx) && time.Since(at) < interval {
			time.Sleep(200 * time.Millisecond)
		}
	}
}
