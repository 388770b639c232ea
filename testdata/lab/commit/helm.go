// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"time"

	"helm.sh/helm/v3/pkg/action"
	"helm.sh/helm/v3/pkg/chart"
	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/cli"
	"helm.sh/helm/v3/pkg/kube"
	"helm.sh/helm/v3/pkg/release"
	"helm.sh/helm/v3/pkg/strvals"
)

const helmTimeout = 2 * time.Minute

// helm is Helm's own install, upgrade or rollback, hooks and all.
func helm(args []string) error {
	if len(args) < 3 {
		return fmt.Errorf("install, upgrade or rollback RELEASE NAMESPACE [CHART [SET]...]")
	}
	verb, name, namespace := args[0], args[1], args[2]
	kube.ManagedFieldsManager = "helm"
	settings := cli.New()
	settings.SetNamespace(namespace)
	c := &action.Configuration{}
	if err := c.Init(settings.RESTClientGetter(), namespace, "secret", func(string, ...any) {}); err != nil {
		return err
	}
	if verb == "rollback" {
		rollback := action.NewRollback(c)
		rollback.Timeout = helmTimeout
		return rollback.Run(name)
	}
	made, values, err := load(args[3], args[4:])
	if err != nil {
		return err
	}
	if verb == "install" {
		install := action.NewInstall(c)
		install.ReleaseName, install.Namespace, install.Timeout = name, namespace, helmTimeout
		_, err = install.Run(made, values)
		return err
	}
	upgrade := action.NewUpgrade(c)
	upgrade.Namespace, upgrade.Timeout = namespace, helmTimeout
	_, err = upgrade.Run(name, made, values)
	return err
}

func load(path string, sets []string) (*chart.Chart, map[string]any, error) {
	made, err := loader.Load(path)
	values := map[string]any{}
	for _, set := range sets {
		if err := strvals.ParseInto(set, values); err != nil {
			return nil, nil, err
		}
	}
	return made, values, err
}

// render is `helm template`, for an upgrade.
func render(args []string) error {
	made, values, err := load(args[0], args[3:])
	if err != nil {
		return err
	}
	install := action.NewInstall(&action.Configuration{Log: func(string, ...any) {}})
	install.ReleaseName, install.Namespace = args[1], args[2]
	install.DryRun, install.ClientOnly, install.IsUpgrade = true, true, true
	var rendered *release.Release
	if rendered, err = install.Run(made, values); err != nil {
		return err
	}
	fmt.Fprintln(os.Stdout, rendered.Manifest)
	for _, hook := range rendered.Hooks {
		fmt.Fprintf(os.Stdout, "---\n%s\n", hook.Manifest)
	}
	return nil
}
