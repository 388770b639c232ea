// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"sigs.k8s.io/yaml"
)

//go:embed configs.yaml
var configsText []byte

// configCase is a workload of one shape and what happens to its configs while it is suspended; see configs.yaml.
type configCase struct {
	shape
	State  string   `json:"state"`
	Change []change `json:"change"`
}

type change struct {
	Patch  string         `json:"patch"`
	With   map[string]any `json:"with"`
	Delete string         `json:"delete"`
	Create map[string]any `json:"create"`
	Image  string         `json:"image"`
	Status map[string]any `json:"status"`
}

// analyses bring a canary into its state and keep it there: port 9 is closed, so its gates and checks fail.
var analyses = map[string]string{
	"Progressing":      `{interval: 10s, threshold: 2, iterations: 500}`,
	"Failed":           `{interval: 10s, threshold: 1, iterations: 3, webhooks: [{name: check, type: rollout, url: "http://127.0.0.1:9/", timeout: 2s}]}`,
	"WaitingPromotion": `{interval: 10s, threshold: 2, iterations: 1, webhooks: [{name: gate, type: confirm-promotion, url: "http://127.0.0.1:9/", timeout: 2s}]}`,
	"Waiting":          `{interval: 10s, threshold: 2, iterations: 1, webhooks: [{name: gate, type: confirm-rollout, url: "http://127.0.0.1:9/", timeout: 2s}]}`,
}

const configsNamespace = "config"

// configs settles every case under release, suspends them, makes the changes, dumps DIR/before.json, releases them, and records
// in DIR/after.tsv what Flagger did within two ticks.
func configs(c *client, dir, release string) {
	must(os.MkdirAll(dir, 0o755))
	var cases []configCase
	must(yaml.Unmarshal(configsText, &cases))
	c.namespace(configsNamespace, "sa")
	deployFlagger(c, release)
	flagger(release)

	members := make([]*member, len(cases))
	settled, stated := map[string]string{}, map[string]string{}
	for i, one := range cases {
		members[i] = configMember(one)
		for _, o := range members[i].objects {
			members[i].apply(c, o, nil)
		}
		settled[configsNamespace+"/"+one.Name] = "Initialized"
	}
	c.waitPhases(4*time.Minute, settled)
	say("settled: %d canaries", len(settled))
	for i, one := range cases {
		if one.State == "" {
			continue
		}
		setImage(members[i].workload(), "registry.example/app:1.1.0")
		members[i].apply(c, members[i].workload(), nil)
		stated[configsNamespace+"/"+one.Name] = one.State
	}
	c.waitPhases(4*time.Minute, stated)
	time.Sleep(tick)

	for _, one := range cases {
		c.patch(person, "Canary", configsNamespace, one.Name, `{"spec":{"suspend":true}}`)
	}
	time.Sleep(tick) // a tick that had begun ends
	for i, one := range cases {
		for _, step := range one.Change {
			step.make(c, members[i])
		}
	}
	time.Sleep(3 * time.Second)
	c.dump(filepath.Join(dir, "before.json"), "Service,HorizontalPodAutoscaler", configsNamespace, "flagger-system")
	before := c.statuses()
	begin := logSize()
	for _, one := range cases {
		c.patch(person, "Canary", configsNamespace, one.Name, `{"spec":{"suspend":false}}`)
	}
	record(c, filepath.Join(dir, "after.tsv"), before, begin)
}

func configMember(one configCase) *member {
	kind := "Deployment"
	if len(one.Kinds) > 0 {
		kind = one.Kinds[0]
	}
	m := newMember(map[string]shape{one.Name: one.shape}, configsNamespace, one.Name, kind, one.Name, serverSide("kustomize-controller"))
	if text := analyses[one.State]; text != "" {
		canary := parse([]byte("{apiVersion: v1, kind: Analysis, of: " + text + "}"))[0]
		m.objects[len(m.objects)-1].Object["spec"].(map[string]any)["analysis"] = canary.Object["of"]
	}
	return m
}

func (s change) make(c *client, m *member) {
	fill := strings.NewReplacer("NAME", m.name)
	kindName := func(text string) (string, string) {
		kind, name, _ := strings.Cut(fill.Replace(text), "/")
		return kind, name
	}
	switch {
	case s.Patch != "":
		kind, name := kindName(s.Patch)
		text, err := json.Marshal(s.With)
		must(err)
		c.patch(person, kind, configsNamespace, name, string(text))
	case s.Delete != "":
		kind, name := kindName(s.Delete)
		c.remove(kind, configsNamespace, name)
	case s.Create != nil:
		o := &object{Object: filled(s.Create, fill)}
		o.SetNamespace(configsNamespace)
		create(c, "kubectl-create", o)
	case s.Image != "":
		setImage(m.workload(), s.Image)
		m.apply(c, m.workload(), nil)
	case s.Status != nil:
		text, err := json.Marshal(map[string]any{"status": s.Status})
		must(err)
		c.patch(person, "Canary", configsNamespace, m.name, string(text), "status")
	}
}
