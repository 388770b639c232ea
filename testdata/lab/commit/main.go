// SPDX-License-Identifier: Apache-2.0

// Command engines applies an app's manifests as each engine does, with its hooks around: Helm and Flux by their own code, Argo CD,
// which is a client of kubectl's apply, by kubectl. It also evaluates what hooks/ has for their health checks.
package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/yaml"
)

const usage = `usage: engines argocd [FLAG]... APP NAMESPACE  <MANIFESTS     a sync
       engines flux [FLAG]... KUSTOMIZATION        <MANIFESTS     what kustomize-controller does for one Kustomization
       engines helm install|upgrade|rollback RELEASE NAMESPACE [CHART [SET]...]
       engines render CHART RELEASE NAMESPACE [SET]...            with hooks
       engines health FILE|bundled                 <OBJECTS       Argo CD's health by a script
       engines expressions FILE                    <OBJECTS       Flux's by expressions`

type object = unstructured.Unstructured

func main() {
	verbs := map[string]func([]string) error{
		"argocd": argocd, "flux": flux, "helm": helm, "render": render, "health": health, "expressions": expressions,
	}
	if len(os.Args) < 3 || verbs[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	if err := verbs[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintf(os.Stderr, "engines %s: %v\n", os.Args[1], err)
		os.Exit(1)
	}
}

// manifests reads YAML documents, the items of Lists too.
func manifests(in io.Reader) (objects []*object, err error) {
	text, err := io.ReadAll(in)
	if err != nil {
		return nil, err
	}
	decoder := yaml.NewYAMLOrJSONDecoder(bytes.NewReader(text), 4096)
	for {
		o := &object{}
		if err := decoder.Decode(o); err == io.EOF {
			return objects, nil
		} else if err != nil {
			return nil, err
		}
		switch {
		case len(o.Object) == 0:
		case o.IsList():
			err := o.EachListItem(func(item runtimeObject) error {
				objects = append(objects, item.(*object))
				return nil
			})
			if err != nil {
				return nil, err
			}
		default:
			objects = append(objects, o)
		}
	}
}
