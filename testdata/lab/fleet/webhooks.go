// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// webhooks keeps canaries of several configs in flight with a rollout webhook, and records the checksum that Flagger sends it, which
// it makes of a Canary's status: DIR/canaries.jsonl has the Canaries, an object a line, DIR/sent.tsv what was sent for each.
func webhooks(c *client, dir, release string) {
	must(os.MkdirAll(dir, 0o755))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	var lock sync.Mutex
	sent := map[string]string{}
	go http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct{ Name, Namespace, Checksum string }
		if json.NewDecoder(r.Body).Decode(&body) == nil {
			lock.Lock()
			sent[body.Name] = body.Checksum
			lock.Unlock()
		}
	}))

	c.namespace(fleetNamespace, "sa")
	deployFlagger(c, release)
	flagger(release)
	all := shapes()
	analysis := fmt.Sprintf(`{apiVersion: v1, kind: Analysis, of: {interval: 10s, threshold: 2, iterations: 500,
		webhooks: [{name: check, type: rollout, url: "http://%s/"}]}}`, listener.Addr())
	settled, flying := map[string]string{}, map[string]string{}
	var members []*member
	for _, joined := range append([]string{"plain", "config-env", "config-from", "config-volumes", "config-init"}, combined...) {
		m := newMember(all, fleetNamespace, shortName(joined), "Deployment", joined, serverSide("kustomize-controller"))
		m.objects[len(m.objects)-1].Object["spec"].(map[string]any)["analysis"] = parse([]byte(analysis))[0].Object["of"]
		for _, o := range m.objects {
			m.apply(c, o, nil)
		}
		members = append(members, m)
		settled[fleetNamespace+"/"+m.name], flying[fleetNamespace+"/"+m.name] = "Initialized", "Progressing"
	}
	c.waitPhases(4*time.Minute, settled)
	for _, m := range members {
		setImage(m.workload(), "registry.example/app:1.1.0")
		m.apply(c, m.workload(), nil)
	}
	c.waitPhases(2*time.Minute, flying)
	time.Sleep(4 * tick)

	flagger("stop")
	var canaries, table strings.Builder
	for _, o := range c.list("Canary", "") {
		line, err := json.Marshal(&o)
		must(err)
		fmt.Fprintf(&canaries, "%s\n", line)
		fmt.Fprintf(&table, "%s\t%s\n", o.GetName(), or(sent[o.GetName()]))
	}
	must(os.WriteFile(filepath.Join(dir, "canaries.jsonl"), []byte(canaries.String()), 0o644))
	must(os.WriteFile(filepath.Join(dir, "sent.tsv"), []byte(table.String()), 0o644))
	say("%s: %d canaries, %d heard of", dir, len(members), len(sent))
}
