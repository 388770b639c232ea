// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

const tick = 10 * time.Second // the shortest analysis interval that Flagger takes

// flagger starts a release, as in `1.38.0` or `1.38.0 -flag`, in place of the running one, or stops it.
func flagger(release string) {
	command := exec.Command(os.Getenv("LAB_SH"), append([]string{"flagger"}, strings.Fields(release)...)...)
	command.Stderr = os.Stderr
	must(command.Run())
	say("flagger %s", release)
}

// deployFlagger writes the object that a chart would: perch reads the running release from it. The process itself is the lab's.
func deployFlagger(c *client, release string) {
	c.namespace("flagger-system")
	version, flags, _ := strings.Cut(release, " ")
	text := strings.ReplaceAll(flaggerDeployment, "RELEASE", version)
	for _, flag := range strings.Fields(flags) {
		text = strings.Replace(text, "            - -mesh", "            - "+flag+"\n            - -mesh", 1)
	}
	for _, o := range parse([]byte(text)) {
		update("helm")(c, o, nil)
	}
}

const flaggerDeployment = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: flagger
  namespace: flagger-system
  labels:
    helm.sh/chart: flagger-RELEASE
    app.kubernetes.io/name: flagger
    app.kubernetes.io/instance: flagger
    app.kubernetes.io/managed-by: Helm
spec:
  replicas: 1
  strategy: {type: Recreate}
  selector:
    matchLabels: {app.kubernetes.io/name: flagger, app.kubernetes.io/instance: flagger}
  template:
    metadata:
      labels: {app.kubernetes.io/name: flagger, app.kubernetes.io/instance: flagger}
    spec:
      serviceAccountName: flagger
      containers:
        - name: flagger
          image: ghcr.io/fluxcd/flagger:RELEASE
          ports:
            - {name: http, containerPort: 8080}
          command:
            - ./flagger
            - -log-level=info
            - -mesh-provider=kubernetes
            - -metrics-server=http://prometheus.monitoring:9090
          resources:
            requests: {cpu: 10m, memory: 32Mi}
            limits: {cpu: 1000m, memory: 512Mi}
`

// what Flagger did with a canary, read from its log; the first of these words that it earned.
const (
	rolled    = "rolled"    // a new rollout: scaled up, analysis begun
	stuck     = "stuck"     // scaled up at every tick, never begun: a config that it needs is missing
	restarted = "restarted" // in flight, begun anew
	gated     = "gated"     // would roll, waits for confirm-rollout
	failed    = "error"     // the tick ended in an error
	suspended = "suspended" // Flagger doesn't look
	gone      = "gone"      // finalised and deleted
	quiet     = "no"
)

type logLine struct {
	Level, Msg, Canary string
}

func readLog() []byte {
	text, err := os.ReadFile(filepath.Join(os.Getenv("LAB_RUN"), "flagger.log"))
	must(err)
	return text
}

func logSize() int { return len(readLog()) }

// deeds reads, per canary as namespace/name, what Flagger wrote into its log from begin on.
func deeds(begin int) map[string]string {
	did := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(readLog()[begin:]))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var line logLine
		if json.Unmarshal(lines.Bytes(), &line) != nil || line.Canary == "" {
			continue
		}
		name, namespace, _ := strings.Cut(line.Canary, ".")
		key := namespace + "/" + name
		switch {
		case strings.HasPrefix(line.Msg, "New revision detected! Scaling up"):
			did[key] = rolled
		case strings.HasPrefix(line.Msg, "New revision detected! Restarting"):
			did[key] = restarted
		case strings.Contains(line.Msg, "advancement waiting for approval") && did[key] == "":
			did[key] = gated
		case (line.Level == "error" || strings.Contains(line.Msg, " error: ")) && did[key] == "":
			did[key] = failed
		}
	}
	return did
}

// record waits two ticks and writes what became of every canary in before, one line each, by Flagger's log from begin on.
func record(c *client, path string, before map[string]status, begin int) {
	time.Sleep(2*tick + 15*time.Second)
	did := deeds(begin)
	var out strings.Builder
	out.WriteString("NAMESPACE\tCANARY\tPHASE_BEFORE\tSTORED\tAFTER_HASH\tROLLED\n")
	counts := map[string]int{}
	for _, key := range sortedKeys(before) {
		namespace, name, _ := strings.Cut(key, "/")
		was, is := before[key], c.canary(namespace, name)
		what := did[key]
		switch {
		case is.phase == gone:
			what = gone
		case is.suspended:
			what = suspended
		case what == rolled && is.phase == was.phase && is.applied == was.applied:
			what = stuck
		case what == "":
			what = quiet
		}
		counts[what]++
		fmt.Fprintf(&out, "%s\t%s\t%s\t%s\t%s\t%s\n", namespace, name, or(was.phase), or(was.applied), or(is.applied), what)
	}
	must(os.WriteFile(path, []byte(out.String()), 0o644))
	say("%s: %v", path, counts)
}

func or(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func (c *client) statuses() map[string]status {
	all := map[string]status{}
	for _, o := range c.list("Canary", "") {
		all[o.GetNamespace()+"/"+o.GetName()] = statusOf(&o)
	}
	return all
}
