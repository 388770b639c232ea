// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"
)

const person = "kubectl-patch" // the field manager of someone with kubectl

// incident brings the canaries of repo/base into the states that an upgrade finds in a real fleet, under Flagger 1.37.0,
// dumps them with Flagger stopped, and records what 1.38.0 then does to each.
func incident(c *client, dir string) {
	r := &repo{c: c, files: readTree(filepath.Join(dir, "repo", "base")), written: map[string][]*object{}}
	for _, n := range []string{"shop", "pay", "ops"} {
		c.namespace(n, "web", "cart")
	}
	deployFlagger(c, "1.37.0")
	operatorsSecrets(c)

	// What was deployed before the last commit of each.
	earlier := map[string][]string{
		"shop/podinfo.yaml":   {"podinfo:6.7.0", "podinfo:6.6.3"},
		"shop/web.yaml":       {"4.2.0", "4.1.3"},
		"shop/reviews.yaml":   {"reviews:3.1.0", "reviews:3.0.2"},
		"shop/checkout.yaml":  {"checkout:8.0.1", "checkout:8.0.0"},
		"shop/recommend.yaml": {"recommend:0.9.3", "recommend:0.9.1"},
		"pay/ledger.yaml":     {"ledger:5.6.0", "ledger:5.5.2"},
		"pay/gateway.yaml":    {"gateway:12.1.0", "gateway:12.0.0"},
		"pay/statement.yaml":  {"statement:1.1.0", "statement:1.0.0"},
		"pay/payouts.yaml":    {"payouts:3.0.1", "payouts:2.9.0"},
		"ops/log-agent.yaml":  {"log-agent:4.4.0", "log-agent:4.3.2"},
		"ops/audit.yaml":      {"omit: [health, metrics]", "omit: [health]"},
		"ops/relay.yaml":      {"relay:1.3.0", "relay:1.2.9"},
	}
	flagger("1.37.0")
	settled := map[string]string{}
	for _, file := range sortedKeys(r.files) {
		switch file {
		case "pay/newcomer.yaml":
			continue
		case "pay/vault.yaml":
			r.apply(file, withoutInit(r.files[file]))
		default:
			r.apply(file, replace(r.files[file], earlier[file]))
		}
		switch key := strings.TrimSuffix(file, ".yaml"); key {
		case "shop/common", "ops/edge": // Flagger can't copy a Service that has a cluster IP
		default:
			settled[key] = "Initialized"
		}
	}
	c.waitPhases(2*time.Minute, settled)
	say("settled: %d canaries", len(settled))

	for _, key := range []string{"pay/ledger", "pay/fraud", "ops/audit"} {
		r.suspend(key)
	}
	for _, file := range []string{"shop/podinfo.yaml", "shop/web.yaml", "shop/reviews.yaml", "shop/checkout.yaml", "pay/gateway.yaml",
		"pay/statement.yaml", "pay/vault.yaml", "ops/log-agent.yaml", "ops/quota.yaml", "pay/ledger.yaml", "ops/audit.yaml"} {
		r.apply(file, r.files[file])
	}
	r.apply("shop/ratings.yaml", replace(r.files["shop/ratings.yaml"], []string{"ratings:1.4.2", "ratings:1.5.0"}))
	r.apply("shop/recommend.yaml", replace(r.files["shop/recommend.yaml"], []string{"recommend:0.9.3", "recommend:0.9.2"}))
	r.apply("pay/payouts.yaml", replace(r.files["pay/payouts.yaml"], []string{"payouts:3.0.1", "payouts:3.0.0"}))
	restart(c, "Deployment", "ops", "metrics-proxy-primary")
	c.waitPhases(3*time.Minute, map[string]string{
		"shop/podinfo": "Succeeded", "shop/web": "Succeeded", "pay/vault": "Succeeded", "ops/log-agent": "Succeeded",
		"shop/reviews": "Failed", "shop/ratings": "Failed", "pay/payouts": "Failed",
		"shop/checkout": "Progressing", "shop/recommend": "Progressing", "pay/gateway": "WaitingPromotion", "pay/statement": "Waiting",
	})

	// Flagger 1.37 writes the whole workload when it scales, and so drops what it doesn't know: the next sync puts it back.
	r.apply("pay/vault.yaml", r.files["pay/vault.yaml"])
	r.apply("shop/ratings.yaml", r.files["shop/ratings.yaml"])
	r.suspend("shop/recommend")
	time.Sleep(tick) // a tick that had begun ends
	r.apply("shop/recommend.yaml", r.files["shop/recommend.yaml"])
	swallow(c, r)
	time.Sleep(2 * tick)

	flagger("stop")
	r.apply("ops/relay.yaml", r.files["ops/relay.yaml"])
	r.apply("pay/newcomer.yaml", r.files["pay/newcomer.yaml"])
	c.remove("Deployment", "ops", "orphan-primary")
	c.remove("Canary", "ops", "legacy")
	c.patch(person, "Canary", "shop", "nudged", `{"status":{"lastAppliedSpec":""}}`, "status")
	time.Sleep(3 * time.Second)
	c.dump(filepath.Join(dir, "cluster.json"), everything, "shop", "pay", "ops", "flagger-system")
	r.commit(filepath.Join(dir, "repo", "head"), filepath.Join(dir, "commit.tsv"))

	before := c.statuses()
	deployFlagger(c, "1.38.0")
	flagger("1.38.0")
	record(c, filepath.Join(dir, "after-1.38.0.tsv"), before, 0)
}

// repo applies files as the tool that owns them, and remembers what that tool wrote last.
type repo struct {
	c       *client
	files   map[string]string
	written map[string][]*object
}

var kubectl = []string{"shop/podinfo", "shop/reviews", "shop/ratings", "shop/nudged", "pay/fraud", "pay/payouts", "ops/metrics-proxy", "ops/orphan", "ops/legacy"}
var argo = []string{"shop/search", "shop/recommend", "pay/ledger", "pay/statement", "ops/log-agent", "ops/relay"}

func owner(file string) applier {
	is := func(list []string) bool {
		for _, name := range list {
			if name+".yaml" == file {
				return true
			}
		}
		return false
	}
	switch {
	case file == "shop/web.yaml":
		return helm
	case is(kubectl):
		return clientSide
	case is(argo):
		return serverSide("argocd-controller")
	}
	return serverSide("kustomize-controller")
}

func (r *repo) apply(file, text string) {
	objects, previous := parse([]byte(text)), r.written[file]
	for i, o := range objects {
		var last *object
		if i < len(previous) {
			last = previous[i]
		}
		owner(file)(r.c, o, last)
	}
	r.written[file] = objects
}

// commit asks the server what each workload of the next revision would become, applied by the tool that owns it, and records
// whether what counts of it would change.
func (r *repo) commit(dir, path string) {
	var out strings.Builder
	out.WriteString("KIND\tNAMESPACE\tNAME\tCHANGED\n")
	next := readTree(dir)
	for _, file := range sortedKeys(next) {
		for i, o := range parse([]byte(next[file])) {
			kind, namespace, name := o.GetKind(), o.GetNamespace(), o.GetName()
			if content(o) == nil {
				continue
			}
			r.c.dryRun = []string{"All"}
			made := owner(file)(r.c, o, r.written[file][i])
			r.c.dryRun = nil
			changed := !reflect.DeepEqual(content(made), content(r.c.get(kind, namespace, name)))
			fmt.Fprintf(&out, "%s\t%s\t%s\t%v\n", kind, namespace, name, changed)
		}
	}
	must(os.WriteFile(path, []byte(out.String()), 0o644))
}

// content is what counts of an object: the pod template without Flagger's parking of a DaemonSet, a Service's spec, a config's data.
func content(o *object) any {
	switch o.GetKind() {
	case "Deployment", "DaemonSet":
		template, _, err := unstructured.NestedMap(o.Object, "spec", "template")
		must(err)
		unstructured.RemoveNestedField(template, "spec", "nodeSelector", "flagger.app/scale-to-zero")
		if selector, found, _ := unstructured.NestedMap(template, "spec", "nodeSelector"); found && len(selector) == 0 {
			unstructured.RemoveNestedField(template, "spec", "nodeSelector")
		}
		return template
	case "Service":
		return o.Object["spec"]
	case "ConfigMap":
		return o.Object["data"]
	}
	return nil
}

func (r *repo) suspend(key string) {
	namespace, name, _ := strings.Cut(key, "/")
	r.c.patch(person, "Canary", namespace, name, `{"spec":{"suspend":true}}`)
}

func replace(text string, pair []string) string {
	if pair == nil {
		return text
	}
	if !strings.Contains(text, pair[0]) {
		fatal("nothing to replace: '%s'", pair[0])
	}
	return strings.ReplaceAll(text, pair[0], pair[1])
}

var initContainers = regexp.MustCompile(`(?s)      initContainers:\n.*?(      containers:\n)`)

func withoutInit(text string) string { return initContainers.ReplaceAllString(text, "$1") }

// restart is `kubectl rollout restart`.
func restart(c *client, kind, namespace, name string) {
	c.patch("kubectl-rollout", kind, namespace, name, `{"spec":{"template":{"metadata":{"annotations":{"kubectl.kubernetes.io/restartedAt":"`+
		time.Now().UTC().Format(time.RFC3339)+`"}}}}}`)
}

// swallow makes Flagger lose a revision: a failed canary is changed while its primary isn't ready, so the one tick that sees it stops there.
func swallow(c *client, r *repo) {
	failed := c.canary("pay", "payouts")
	ready(c, "pay", "app=payouts-primary", "False")
	until(time.Minute, func() string {
		d := c.get("Deployment", "pay", "payouts-primary")
		if number(d, "status", "availableReplicas") == 0 {
			return ""
		}
		return "payouts-primary is still available"
	})
	r.apply("pay/payouts.yaml", r.files["pay/payouts.yaml"])
	until(time.Minute, func() string {
		if s := c.canary("pay", "payouts"); s.applied == failed.applied || s.phase != "Failed" {
			return "payouts is " + s.phase + " with " + s.applied
		}
		return ""
	})
	time.Sleep(2 * time.Second)
	ready(c, "pay", "app=payouts-primary", "True")
}

func number(o *object, path ...string) int64 {
	at := any(o.Object)
	for _, key := range path {
		m, ok := at.(map[string]any)
		if !ok {
			return 0
		}
		at = m[key]
	}
	n, _ := at.(int64)
	return n
}

func ready(c *client, namespace, selector, value string) {
	l, err := c.of("Pod", namespace).List(c.ctx, metav1.ListOptions{LabelSelector: selector})
	must(err)
	for _, pod := range l.Items {
		conditions := pod.Object["status"].(map[string]any)["conditions"].([]any)
		for _, condition := range conditions {
			if m := condition.(map[string]any); m["type"] == "Ready" || m["type"] == "ContainersReady" {
				m["status"] = value
			}
		}
		text, err := yaml.Marshal(map[string]any{"status": map[string]any{"conditions": conditions}})
		must(err)
		text, err = yaml.YAMLToJSON(text)
		must(err)
		c.patch("kubelet", "Pod", namespace, pod.GetName(), string(text), "status")
	}
}

//go:embed secrets.yaml
var secrets []byte

// operatorsSecrets writes what is never in Git.
func operatorsSecrets(c *client) {
	for _, o := range parse(secrets) {
		update("external-secrets")(c, o, nil)
	}
}
