// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const prompt = time.Second // in which perch ends when it is asked to

// processOne makes a command process 1 of a namespace of its own, as it is of a container: the kernel
// spares that one every signal that it has no handler for. nil: this machine permits no such namespace.
func processOne() *syscall.SysProcAttr {
	mine := func(id int) []syscall.SysProcIDMap { return []syscall.SysProcIDMap{{HostID: id, Size: 1}} }
	for _, attr := range []*syscall.SysProcAttr{
		{Cloneflags: syscall.CLONE_NEWPID},
		{Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWUSER, UidMappings: mine(os.Getuid()), GidMappings: mine(os.Getgid())},
	} {
		attr.Pdeathsig = syscall.SIGKILL
		probe := exec.Command("true")
		probe.SysProcAttr = attr
		if probe.Run() == nil {
			return attr
		}
	}
	return nil
}

// ended asks perch to end while the answer to each of its requests is under way, and wherever else it
// waits; the next run does the rest.
func (l *lab) ended() {
	l.attr = processOne()
	if l.attr == nil {
		fmt.Println("skipped: as process 1, since this machine permits no PID namespaces")
	}
	ends, bad := 0, l.failed
	for _, f := range l.flows() {
		l.restore(f.from)
		undisturbed := l.run(nil, f.args...)
		want := l.state()
		again := l.run(nil, f.args...)
		n := l.endEach(f, undisturbed, again, want)
		ends += n
		fmt.Printf("%s: ended %d times\n", f.name, n)
	}
	ends += l.endWaits()
	time.Sleep(time.Second) // of the watch
	l.check(len(l.silent) == 0, "every suspended canary says why, at every instant", strings.Join(l.silent, "\n"))
	fmt.Printf("%d ends, %d bad\n", ends, l.failed-bad)
	l.attr = nil
}

// endEach: the server has done what it was asked, and perch never hears of it.
func (l *lab) endEach(f flow, undisturbed, again result, want string) int {
	for n := 1; ; n++ {
		what := fmt.Sprintf("%s, asked to end at request %d", f.name, n)
		l.restore(f.from)
		l.trying(what)
		r := l.run(func(t *turn) bool {
			if t.n == n {
				t.forward()
				t.end()
			}
			return false
		}, f.args...)
		if r.ending == 0 {
			return n - 1
		}
		l.promptly(what, r)
		l.goesOn(f, what, undisturbed, again, want)
	}
}

func (l *lab) promptly(what string, r result) {
	l.check(r.code == 143 && r.ending < prompt, fmt.Sprintf("%s: not exit 143 in a second, but in %d ms", what, r.ending.Milliseconds()), r)
	l.check(strings.Contains(r.termination, ": ended by SIGTERM"), what+": it doesn't say so", r.termination)
}

// endWaits: a credential plugin runs, the server doesn't take up TLS, it has said when to come back, a
// canary is waited for.
func (l *lab) endWaits() int {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	defer silent.Close()
	plugin := `{"exec": {"apiVersion": "client.authentication.k8s.io/v1", "interactiveMode": "Never", "command": "/bin/sleep", "args": ["30"]}}`
	busy := l.base["cart"].DeepCopy()
	must(unstructured.SetNestedField(busy.Object, "Progressing", "status", "phase"))
	list := []string{"status", "-n", namespace}
	waits := []struct {
		what       string
		kubeconfig string
		fault      fault
		args       []string
	}{
		{"while a credential plugin runs", l.write("plugin-sleeps", config(l.proxy.tlsURL(), plugin)), nil, list},
		{"while the server is silent", l.write("silent", config("https://"+silent.Addr().String(), "{}")), nil, list},
		{"between two tries", l.kubeconfig, always(status(503, "ServiceUnavailable", "not ready", "Retry-After", "30")), list},
		{"while it waits", l.kubeconfig, nil, []string{"wait", "shop/cart", "--for=settled"}},
	}
	l.restore(snapshot{"cart": busy, "web": l.base["web"], "reviews": l.base["reviews"]})
	for _, w := range waits {
		what := w.args[0] + ", asked to end " + w.what
		time.AfterFunc(prompt, l.proxy.term)
		l.promptly(what, l.runAs(w.fault, w.kubeconfig, w.args...))
	}
	l.restore(l.base)
	return len(waits)
}
