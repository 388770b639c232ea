// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

const fleetNamespace = "fleet"

// partner is the one kind of Service that Flagger can copy: it has no cluster IP.
const partner = `
apiVersion: v1
kind: Service
metadata: {name: partner, namespace: fleet}
spec: {type: ExternalName, externalName: api.partner.example, ports: [{name: https, port: 443}]}
---
apiVersion: flagger.app/v1beta1
kind: Canary
metadata: {name: partner, namespace: fleet}
spec:
  targetRef: {apiVersion: v1, kind: Service, name: partner}
  service: {port: 443}
  analysis: {interval: 10s, threshold: 2, iterations: 1}
`

// upgrade settles a fleet of every shape, or of the given ones, under one release, changes some while Flagger is down, and records
// what the next release does to it: DIR/before.json is the fleet, DIR/after.tsv what became of it within two ticks. A restart of the
// same release, maybe with other flags, is dumped as an init container of the new Pod would find it: with Flagger's Deployment changed.
func upgrade(c *client, dir, from, to string, only []string) {
	must(os.MkdirAll(dir, 0o755))
	deployFlagger(c, from)
	flagger(from)
	members := fleetOf(only)
	settle(c, members)

	rolled := map[string]string{}
	for i, m := range members {
		switch {
		case i%4 == 1:
			rolled[fleetNamespace+"/"+m.name] = "Succeeded"
			setImage(m.workload(), "registry.example/app:1.1.0")
			m.apply(c, m.workload(), nil)
		case m.again:
			m.apply(c, m.workload(), nil)
		}
	}
	c.waitPhases(4*time.Minute, rolled)
	for i, m := range members {
		if m.again && i%4 == 1 {
			m.apply(c, m.workload(), nil)
		}
		if i%11 == 10 {
			c.patch(person, "Canary", fleetNamespace, m.name, `{"spec":{"suspend":true}}`)
		}
	}
	time.Sleep(2 * tick)

	flagger("stop")
	for i, m := range members {
		switch i % 9 {
		case 4:
			setImage(m.workload(), "registry.example/app:1.2.0")
			m.apply(c, m.workload(), nil)
		case 7:
			restart(c, m.kind, fleetNamespace, m.name)
		}
	}
	if strings.Fields(from)[0] == strings.Fields(to)[0] {
		deployFlagger(c, to)
	}
	time.Sleep(3 * time.Second)
	c.dump(filepath.Join(dir, "before.json"), "ReplicaSet,ControllerRevision,HorizontalPodAutoscaler", fleetNamespace, "flagger-system")
	before := c.statuses()
	deployFlagger(c, to)
	flagger(to)
	record(c, filepath.Join(dir, "after.tsv"), before, 0)
}

// settle makes the members, and a Service, and waits until the Flagger that runs has made each of them ready.
func settle(c *client, members []*member) {
	c.namespace(fleetNamespace, "sa")
	settled := map[string]string{fleetNamespace + "/partner": "Initialized"}
	for _, m := range members {
		for _, o := range m.objects {
			m.apply(c, o, nil)
		}
		settled[fleetNamespace+"/"+m.name] = "Initialized"
	}
	for _, o := range parse([]byte(partner)) {
		clientSide(c, o, nil)
	}
	c.waitPhases(6*time.Minute, settled)
	say("settled: %d canaries", len(settled))
}

func fleetOf(only []string) (members []*member) {
	all := shapes()
	deployments, daemonSets := append(sortedKeys(all), combined...), daemons
	if len(only) > 0 {
		deployments, daemonSets = only, only[:len(only)/3]
	}
	add := func(name, kind, joined string) {
		apply := serverSide("kustomize-controller")
		if len(members)%3 == 2 && kind == "Deployment" {
			apply = clientSide
		}
		members = append(members, newMember(all, fleetNamespace, name, kind, joined, apply))
	}
	for _, joined := range deployments {
		add(shortName(joined), "Deployment", joined)
	}
	for _, joined := range daemonSets {
		if s := all[joined]; len(s.Kinds) == 0 {
			add("ds-"+shortName(joined), "DaemonSet", joined)
		}
	}
	return members
}

// shortName keeps names of combined shapes readable: the first shape and how many more.
func shortName(joined string) string {
	first, rest, found := strings.Cut(joined, "+")
	if !found {
		return first
	}
	return first + "-and-" + strings.ReplaceAll(rest, "+", "-")
}

func setImage(workload *object, image string) {
	spec := workload.Object["spec"].(map[string]any)["template"].(map[string]any)["spec"].(map[string]any)
	find(spec["containers"].([]any), "app")["image"] = image
}
