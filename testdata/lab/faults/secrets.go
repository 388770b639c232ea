// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// What is confidential has a marker in it. The values of env and args are in reports on objects, which
// print what changed of them, and nowhere else.
const (
	marker       = "c0nf1dent1al"
	ofWorkload   = marker + "-of-the-workload"
	ofSecret     = marker + "-of-a-secret"
	ofCredential = marker + "-of-the-user"
)

var (
	secretKind     = schema.GroupVersionResource{Version: "v1", Resource: "secrets"}
	deploymentKind = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
)

// mark puts markers into what is read and what mustn't be.
func (l *lab) mark() {
	for _, name := range []string{"cart-tls", "other"} {
		o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Secret",
			"metadata": map[string]any{"name": name}, "stringData": map[string]any{"password": ofSecret}}}
		_, err := l.Resource(secretKind).Namespace(namespace).Create(ctx, o, metav1.CreateOptions{})
		must(err)
	}
	o, err := l.Resource(deploymentKind).Namespace(namespace).Get(ctx, "web", metav1.GetOptions{})
	must(err)
	containers, _, err := unstructured.NestedSlice(o.Object, "spec", "template", "spec", "containers")
	must(err)
	c := containers[0].(map[string]any)
	c["env"] = []any{map[string]any{"name": "PASSWORD", "value": ofWorkload}}
	c["args"] = []any{"--password=" + ofWorkload}
	must(unstructured.SetNestedSlice(o.Object, containers, "spec", "template", "spec", "containers"))
	_, err = l.Resource(deploymentKind).Namespace(namespace).Update(ctx, o, seeder)
	must(err)
}

func (l *lab) users() map[string]string {
	plugin := l.write("plugin", "#!/bin/sh\necho '"+`{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"`+
		ofCredential+`"}}`+"'\n")
	must(os.Chmod(plugin, 0o700))
	broken := l.write("broken-plugin", "#!/bin/sh\necho '{\"status\":{\"token\":\""+ofCredential+"\"'\n")
	must(os.Chmod(broken, 0o700))
	key := base64.StdEncoding.EncodeToString([]byte("-----BEGIN PRIVATE KEY-----\n" + ofCredential + "\n-----END PRIVATE KEY-----\n"))
	exec := `{"exec": {"apiVersion": "client.authentication.k8s.io/v1", "interactiveMode": "Never", "command": %q, "env": [{"name": "X", "value": %q}]}}`
	users := map[string]string{}
	for name, user := range map[string]string{
		"token":         fmt.Sprintf(`{"token": %q}`, ofCredential),
		"token file":    fmt.Sprintf(`{"tokenFile": %q}`, l.write("a-token", ofCredential)),
		"password":      fmt.Sprintf(`{"username": "someone", "password": %q}`, ofCredential),
		"plugin":        fmt.Sprintf(exec, plugin, ofCredential),
		"broken plugin": fmt.Sprintf(exec, broken, ofCredential),
		"broken key":    fmt.Sprintf(`{"client-certificate-data": %q, "client-key-data": %q}`, key, key),
		"broken token":  fmt.Sprintf(`{"token": [%q]}`, ofCredential),
	} {
		users[name] = l.write("user-"+strings.ReplaceAll(name, " ", "-"), config(l.proxy.tlsURL(), user))
	}
	return users
}

// secrets runs every verb in every way, and looks for markers in all that was said and stored.
func (l *lab) secrets() {
	l.restore(l.base)
	l.mark()
	users := l.users()
	hold := []string{"hold", "-n", namespace, "--for", "1h"}
	verbs := [][]string{{"guard"}, hold, {"status", "-n", namespace}, {"reconcile", "-n", namespace},
		{"adopt", "shop/cart"}, {"adopt", "shop/web"}, {"resume", "-n", namespace, "--step", "--roll"}, {"nudge", "shop/cart"},
		{"wait", "shop/cart", "--for=settled", "--timeout", "1s"}, {"plan", "-n", namespace}, {"explain", "shop/web"}, {"dump", "-n", namespace},
		{"predict", "--to", "1.44", "-n", namespace}}
	ways := [][]string{{}, {"-v"}, {"-v", "--log-format=json"}, {"-v", "-o", "json"}}
	faults := map[string]fault{"nothing": nil, "500": func(t *turn) bool {
		if t.n > 6 {
			internal.do(t)
		}
		return t.n > 6
	}, "401": always(nobody), "403": always(forbidden)}
	runs, shown, events := 0, 0, 0
	var sent atomic.Int32
	for user, kubeconfig := range users {
		for wrong, f := range faults {
			if wrong != "nothing" && user != "token" && user != "plugin" {
				continue
			}
			watched := func(t *turn) bool {
				_, password, _ := t.r.BasicAuth()
				if marked(t.r.Header.Get("Authorization")+password, ofCredential) {
					sent.Add(1)
				}
				return f != nil && f(t)
			}
			for _, args := range verbs {
				for i, way := range ways {
					if user != "token" && i != 1 || wrong == "500" && i != 1 {
						continue
					}
					r := l.runAs(watched, kubeconfig, append(append([]string{}, args...), way...)...)
					if strings.Contains(r.err, "unknown option") { // not a way of this verb
						continue
					}
					l.say(user, wrong, r, args, way)
					runs++
					if shows(args[0]) && marked(r.out, ofWorkload) {
						shown++
					}
				}
			}
		}
		events = l.stored(user)
		l.restore(l.base)
	}
	l.check(sent.Load() > 0 && shown > 0, "credentials are sent, and reports show what changed", sent.Load(), shown)
	l.check(events > 10, "there are Events", events)
	l.audited()
	r := l.run(nil, "dump", "-n", namespace, "--secrets", "-v")
	l.check(r.code == 0 && strings.Contains(r.out, "data-checksum") && !marked(r.out+r.err, ofSecret), "dump --secrets has no value of theirs", r.code)
	fmt.Printf("%d runs, of %d verbs as %d users, %d Events\n", runs, len(verbs), len(users), events)
}

// shows says whether a report of this verb is on objects.
func shows(verb string) bool {
	return verb == "plan" || verb == "explain" || verb == "dump"
}

func (l *lab) say(user, wrong string, r result, args, way []string) {
	what := fmt.Sprintf("%s %s as %s, wrong: %s", strings.Join(args, " "), strings.Join(way, " "), user, wrong)
	l.check(!marked(r.err, marker), what+": said on stderr", r.err)
	l.check(!marked(r.termination, marker), what+": said in the termination message", r.termination)
	l.check(!marked(r.out, ofSecret) && !marked(r.out, ofCredential), what+": said on stdout", r.out)
	l.check(shows(args[0]) || !marked(r.out, marker), what+": said on stdout", r.out)
}

// marked looks for what is confidential as it is, and in base64 at any offset.
func marked(text, secret string) bool {
	for i := 0; i < 3; i++ {
		encoded := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat(" ", i) + secret))
		if strings.Contains(text, encoded[(i*4+2)/3:len(encoded)-2]) {
			return true
		}
	}
	return strings.Contains(text, secret)
}

// stored is what perch left in the cluster.
func (l *lab) stored(user string) int {
	events, err := l.Resource(eventKind).Namespace(namespace).List(ctx, metav1.ListOptions{})
	must(err)
	l.check(!marked(text(events.Object)+text(events.Items), marker), user+": stored in an Event")
	for name, o := range l.read() {
		l.check(!marked(text(o.Object), marker), user+": stored in canary "+name, text(o.Object))
	}
	maps, err := l.Resource(configMapKind).Namespace(system).List(ctx, metav1.ListOptions{})
	must(err)
	l.check(!marked(text(maps.Items), marker), user+": stored in a ConfigMap")
	return len(events.Items)
}

// audited: of all that perch has asked for in this lab, nothing was a Secret.
func (l *lab) audited() {
	file, err := os.Open(filepath.Join(os.Getenv("LAB_RUN"), "audit.log"))
	must(err)
	defer file.Close()
	asked, secrets := 0, 0
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<22)
	for lines.Scan() {
		var event struct {
			UserAgent string `json:"userAgent"`
			ObjectRef struct{ Resource string }
		}
		must(json.Unmarshal(lines.Bytes(), &event))
		if strings.HasPrefix(event.UserAgent, "perch/") {
			asked++
			if event.ObjectRef.Resource == "secrets" {
				secrets++
			}
		}
	}
	must(lines.Err())
	l.check(asked > 100 && secrets == 0, "no Secret was asked for")
	fmt.Printf("%d requests in the audit log are perch's, %d for Secrets\n", asked, secrets)
}
