// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/normalize"
	"github.com/fluxcd/pkg/ssa/utils"
	"helm.sh/helm/v3/pkg/kube"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/cli-runtime/pkg/resource"
	kubectlapply "k8s.io/kubectl/pkg/cmd/apply"
	"k8s.io/kubectl/pkg/util"
)

// How an object gets to the server. The text is what perch's --applier takes.
type applier string

const (
	argo      applier = "server-side=argocd-controller"
	flux      applier = "server-side=kustomize-controller"
	kubectl   applier = "client-side"
	helm      applier = "helm"
	helmFlux  applier = "helm=helm-controller"
	replacing applier = "replace"
)

var appliers = []applier{argo, flux, kubectl, helm, helmFlux, replacing}

func (a applier) manager() string {
	switch a {
	case kubectl:
		return "kubectl-client-side-apply"
	case replacing:
		return "kubectl-replace"
	case helm:
		return "helm"
	}
	return string(a)[strings.Index(string(a), "=")+1:]
}

func (a applier) serverSide() bool { return strings.HasPrefix(string(a), "server-side") }
func (a applier) helm() bool       { return strings.HasPrefix(string(a), "helm") }

// Sends the desired object by this applier. previous is what it sent last (Helm's release
// manifest). The answer is the object as the server then has it, or would have it in a dry-run.
func (s *server) apply(a applier, desired, previous object, dry bool) (answer object, err error) {
	// The merge code of kubectl and Helm panics where a key is a list.
	defer func() {
		if p := recover(); p != nil {
			answer, err = nil, fmt.Errorf("%s: %v", a, p)
		}
	}()
	if !a.helm() && a != kubectl && a != flux {
		if desired, err = asRead(desired); err != nil {
			return nil, err
		}
	}
	switch {
	case a == flux:
		return s.applyFlux(desired, dry)
	case a.serverSide():
		return s.patch(desired, types.ApplyPatchType, encode(desired), a.manager(), dry)
	case a == kubectl:
		return s.applyKubectl(desired, dry)
	case a.helm():
		return s.applyHelm(a, desired, previous, dry)
	}
	return s.replace(a, desired, dry)
}

// Every tool reads a manifest into values before it sends them: 80.0 goes out as 80.
func asRead(o object) (object, error) {
	read, _, err := unstructured.UnstructuredJSONScheme.Decode(encode(o), nil, nil)
	if err != nil {
		return nil, err
	}
	return toObject(read)
}

func (s *server) replace(a applier, desired object, dry bool) (object, error) {
	_, err := s.get(desired.kind(), desired.name())
	if apierrors.IsNotFound(err) {
		return s.post(desired, a.manager(), dry)
	}
	return s.put(desired, a.manager(), dry)
}

// kubectl apply: the annotated create, else kubectl's own patcher.
func (s *server) applyKubectl(desired object, dry bool) (object, error) {
	info, err := s.info(desired, dry)
	if err != nil {
		return nil, err
	}
	helper := resource.NewHelper(info.Client, info.Mapping).
		WithFieldManager(kubectl.manager()).WithFieldValidation(metav1.FieldValidationWarn)
	modified, err := util.GetModifiedConfiguration(info.Object, true, unstructured.UnstructuredJSONScheme)
	if err != nil {
		return nil, err
	}
	live, err := helper.Get(namespace, info.Name)
	if apierrors.IsNotFound(err) {
		if err := util.CreateApplyAnnotation(info.Object, unstructured.UnstructuredJSONScheme); err != nil {
			return nil, err
		}
		created, err := helper.Create(namespace, true, info.Object)
		if err != nil {
			return nil, err
		}
		return toObject(created)
	}
	if err != nil {
		return nil, err
	}
	patcher := &kubectlapply.Patcher{
		Mapping: info.Mapping, Helper: helper, Overwrite: true, OpenAPIV3Root: s.openapi,
	}
	_, patched, err := patcher.Patch(live, modified, "", namespace, info.Name, io.Discard)
	if err != nil {
		return nil, unwrap(err)
	}
	return toObject(patched)
}

// Helm names its manager in a package variable.
var helmLock sync.Mutex

func (s *server) applyHelm(a applier, desired, previous object, dry bool) (object, error) {
	target, err := s.info(desired, dry)
	if err != nil {
		return nil, err
	}
	helmLock.Lock()
	defer helmLock.Unlock()
	kube.ManagedFieldsManager = a.manager()
	client := &kube.Client{Log: func(string, ...any) {}}
	if previous == nil {
		_, err = client.Create(kube.ResourceList{target})
	} else {
		var original *resource.Info
		if original, err = s.info(previous, dry); err != nil {
			return nil, err
		}
		_, err = client.Update(kube.ResourceList{original}, kube.ResourceList{target}, false)
	}
	if err != nil {
		return nil, unwrap(err)
	}
	return toObject(target.Object)
}

// kustomize-controller: normalise, dry-run, take over the fields of kubectl and of its own past,
// apply. The take-over is no dry-run: it writes managedFields and annotations of the live object.
func (s *server) applyFlux(desired object, dry bool) (object, error) {
	info, err := s.info(desired, dry)
	if err != nil {
		return nil, err
	}
	u := info.Object.(*unstructured.Unstructured)
	if err := normalize.UnstructuredList([]*unstructured.Unstructured{u}); err != nil {
		return nil, err
	}
	live, err := s.live(desired)
	if err != nil {
		return nil, err
	}
	if skipped(u, live) {
		return toObject(live)
	}
	body := encode(u.Object)
	if _, err := s.patch(desired, types.ApplyPatchType, body, flux.manager(), true); err != nil {
		return nil, err
	}
	if live != nil && !utils.AnyInMetadata(u, mergeOnly) && !utils.AnyInMetadata(live, mergeOnly) {
		if err := s.fold(desired, live); err != nil {
			return nil, err
		}
	}
	return s.patch(desired, types.ApplyPatchType, body, flux.manager(), dry)
}

// The managers that kustomize-controller takes over.
var folded = []ssa.FieldManager{
	{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
	{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
	{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
	{Name: flux.manager(), OperationType: metav1.ManagedFieldsOperationUpdate},
}

// Annotations by which kustomize-controller leaves an object alone, or its other owners.
var (
	excluded = map[string]string{
		"kustomize.toolkit.fluxcd.io/reconcile": "disabled", "kustomize.toolkit.fluxcd.io/ssa": "Ignore",
	}
	ifNotPresent = map[string]string{"kustomize.toolkit.fluxcd.io/ssa": "IfNotPresent"}
	mergeOnly    = map[string]string{"kustomize.toolkit.fluxcd.io/ssa": "Merge"}
)

func skipped(desired, live *unstructured.Unstructured) bool {
	return live != nil && (utils.AnyInMetadata(desired, excluded) || utils.AnyInMetadata(live, excluded) ||
		utils.AnyInMetadata(desired, ifNotPresent))
}

// nil where there is none.
func (s *server) live(desired object) (*unstructured.Unstructured, error) {
	live, err := s.get(desired.kind(), desired.name())
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	u := &unstructured.Unstructured{}
	return u, u.UnmarshalJSON(encode(live))
}

func (s *server) fold(desired object, u *unstructured.Unstructured) error {
	patches := ssa.PatchRemoveAnnotations(u, []string{corev1.LastAppliedConfigAnnotation})
	owners, err := ssa.PatchReplaceFieldsManagers(u, folded, flux.manager())
	if err != nil {
		return err
	}
	patches = append(patches, owners...)
	if len(patches) == 0 {
		return nil
	}
	_, err = s.patch(desired, types.JSONPatchType, encode(patches), flux.manager(), false)
	return err
}

// The Status within what a tool made of it.
func unwrap(err error) error {
	for e := err; e != nil; {
		if _, ok := e.(apierrors.APIStatus); ok {
			return e
		}
		switch x := e.(type) {
		case interface{ Unwrap() error }:
			e = x.Unwrap()
		case interface{ Cause() error }:
			e = x.Cause()
		default:
			return err
		}
	}
	return err
}
