// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/cli-utils/pkg/kstatus/polling/engine"
	"github.com/fluxcd/cli-utils/pkg/kstatus/status"
	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
	"github.com/fluxcd/pkg/runtime/statusreaders"
	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/normalize"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/config"
	"sigs.k8s.io/yaml"
)

type runtimeObject = runtime.Object

const group = "kustomize.toolkit.fluxcd.io"

// flux is one reconciliation of a Kustomization: what kustomize-controller 1.7.3 passes to Flux's own apply, and `wait: true`.
func flux(args []string) error {
	flags := flag.NewFlagSet("flux", flag.ExitOnError)
	namespace := flags.String("namespace", "flux-system", "of the Kustomization")
	force := flags.Bool("force", false, "spec.force")
	checks := flags.String("health", "", "file with healthCheckExprs")
	timeout := flags.Duration("timeout", 2*time.Minute, "spec.timeout")
	flags.Parse(args)
	objects, err := manifests(os.Stdin)
	if err != nil {
		return err
	}
	if err := normalize.UnstructuredList(objects); err != nil {
		return err
	}
	manager, err := resourceManager(*checks)
	if err != nil {
		return err
	}
	manager.SetOwnerLabels(objects, flags.Arg(0), *namespace)
	set, err := manager.ApplyAllStaged(context.Background(), objects, applyOptions(*force))
	if err != nil {
		return err
	}
	for _, entry := range set.Entries {
		fmt.Println(entry)
	}
	return manager.WaitForSet(set.ToObjMetadataSet(), ssa.WaitOptions{Interval: time.Second, Timeout: *timeout, FailFast: true})
}

func applyOptions(force bool) ssa.ApplyOptions {
	options := ssa.DefaultApplyOptions()
	options.Force = force
	options.ExclusionSelector = map[string]string{group + "/reconcile": "disabled", group + "/ssa": "Ignore"}
	options.IfNotPresentSelector = map[string]string{group + "/ssa": "IfNotPresent"}
	options.ForceSelector = map[string]string{group + "/force": "enabled"}
	options.Cleanup = ssa.ApplyCleanupOptions{
		Annotations: []string{corev1.LastAppliedConfigAnnotation},
		FieldManagers: []ssa.FieldManager{
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationApply},
			{Name: "kubectl", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "before-first-apply", OperationType: metav1.ManagedFieldsOperationUpdate},
			{Name: "kustomize-controller", OperationType: metav1.ManagedFieldsOperationUpdate},
		},
		Exclusions: map[string]string{group + "/ssa": "Merge"},
	}
	return options
}

func connect() (client.Client, error) {
	settings, err := config.GetConfig()
	if err != nil {
		return nil, err
	}
	settings.QPS, settings.Burst = 100, 200
	settings.WarningHandler = rest.NoWarnings{}
	return client.New(settings, client.Options{})
}

func resourceManager(checks string) (*ssa.ResourceManager, error) {
	c, err := connect()
	if err != nil {
		return nil, err
	}
	readers, err := statusReaders(checks, c.RESTMapper())
	if err != nil {
		return nil, err
	}
	poller := polling.NewStatusPoller(c, c.RESTMapper(), polling.Options{CustomStatusReaders: readers})
	return ssa.NewResourceManager(c, poller, ssa.Owner{Field: "kustomize-controller", Group: group}), nil
}

func healthChecks(path string) ([]kustomize.CustomHealthCheck, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var spec struct {
		HealthCheckExprs []kustomize.CustomHealthCheck `json:"healthCheckExprs"`
	}
	return spec.HealthCheckExprs, yaml.UnmarshalStrict(text, &spec)
}

func statusReaders(path string, mapper meta.RESTMapper) ([]engine.StatusReader, error) {
	jobs := statusreaders.NewCustomJobStatusReader(mapper)
	if path == "" {
		return []engine.StatusReader{jobs}, nil
	}
	checks, err := healthChecks(path)
	if err != nil {
		return nil, err
	}
	reader, err := cel.NewStatusReader(checks)
	if err != nil {
		return nil, err
	}
	return []engine.StatusReader{jobs, reader(mapper)}, nil
}

// evaluated is Unknown where an expression can't be evaluated, and Flux waits.
func evaluated(e *cel.StatusEvaluator, o *object) status.Status {
	result, err := e.Evaluate(context.Background(), o)
	if err != nil {
		return status.UnknownStatus
	}
	return result.Status
}

// expressions prints what Flux makes of each object.
func expressions(args []string) error {
	objects, err := manifests(os.Stdin)
	if err != nil {
		return err
	}
	checks, err := healthChecks(args[0])
	if err != nil {
		return err
	}
	evaluator, err := cel.NewStatusEvaluator(&checks[0].HealthCheckExpressions)
	if err != nil {
		return err
	}
	for _, o := range objects {
		fmt.Printf("%s\t%s\n", o.GetName(), evaluated(evaluator, o))
	}
	return nil
}
