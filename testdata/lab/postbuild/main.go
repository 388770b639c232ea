// SPDX-License-Identifier: Apache-2.0

// Command postbuild does what Flux's kustomize-controller does with a Kustomization, by the controller's own
// packages: builds a folder, substitutes what spec.postBuild names, applies it by server-side apply.
//
//	postbuild build [strict] [always] KUSTOMIZATION FOLDER    prints what would be applied, a JSON object a line
//	postbuild apply [strict] [always] KUSTOMIZATION FOLDER    applies it once and says what changed
//	postbuild run   [strict] [always] KUSTOMIZATION FOLDER    again and again: when its ConfigMap changes (and
//	                                                          is labelled to be watched), and each INTERVAL
//
// KUSTOMIZATION is a file whose first Kustomization counts; its sourceRef is taken as read into FOLDER. The
// cluster is KUBECONFIG's. INTERVAL is 10m unless the environment says otherwise.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/fluxcd/pkg/ssa"
	ssautil "github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	controller = "kustomize-controller"
	group      = "kustomize.toolkit.fluxcd.io"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: postbuild build|apply|run [strict] [always] KUSTOMIZATION FOLDER")
		os.Exit(2)
	}
	if err := command(context.Background(), os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "postbuild:", err)
		os.Exit(1)
	}
}

func command(ctx context.Context, name string, args []string) error {
	c, err := connect()
	if err != nil {
		return err
	}
	r := reconciler{client: c, folder: args[len(args)-1]}
	for _, word := range args[:len(args)-2] {
		r.strict = r.strict || word == "strict"
		r.always = r.always || word == "always"
	}
	if r.kustomization, err = readKustomization(args[len(args)-2]); err != nil {
		return err
	}
	switch name {
	case "build":
		return r.print(ctx)
	case "apply":
		return r.reconcile(ctx)
	case "run":
		return r.run(ctx)
	}
	return fmt.Errorf("unknown command %q", name)
}

func connect() (client.Client, error) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst = 100, 200
	return client.New(config, client.Options{Scheme: scheme.Scheme})
}

func readKustomization(path string) (*unstructured.Unstructured, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	objects, err := ssautil.ReadObjects(file)
	if err != nil {
		return nil, err
	}
	for _, object := range objects {
		if object.GetKind() == "Kustomization" {
			return object, nil
		}
	}
	return nil, fmt.Errorf("no Kustomization in %s", path)
}

func (r *reconciler) print(ctx context.Context) error {
	objects, err := r.build(ctx)
	if err != nil {
		return err
	}
	for _, object := range objects {
		line, err := json.Marshal(object.Object)
		if err != nil {
			return err
		}
		fmt.Println(string(line))
	}
	return nil
}

func (r *reconciler) reconcile(ctx context.Context) error {
	objects, err := r.build(ctx)
	if err != nil {
		return err
	}
	changes, err := r.apply(ctx, objects)
	if err != nil {
		return err
	}
	for _, entry := range changes.Entries {
		if entry.Action != ssa.UnchangedAction {
			fmt.Printf("%s %s %s\n", time.Now().Format("15:04:05.000"), entry.Subject, entry.Action)
		}
	}
	return nil
}
