// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// One run of perch, behind the proxy.
type result struct {
	code        int // -1: it was killed
	out, err    string
	termination string
	requests    []string
	took        time.Duration
	ending      time.Duration // since it was asked to end; 0: it wasn't
}

type lab struct {
	*cluster
	proxy      *proxy
	perch      string
	scratch    string
	kubeconfig string
	attr       *syscall.SysProcAttr // of perch's process
	base       snapshot             // as seeded
	passed     int
	failed     int
}

const longest = 60 * time.Second

func newLab(perch string) *lab {
	scratch, err := os.MkdirTemp("", "perch-faults.")
	must(err)
	l := &lab{cluster: newCluster(os.Getenv("KUBECONFIG")), proxy: newProxy(), perch: perch, scratch: scratch}
	l.base = l.read()
	l.kubeconfig = l.write("kubeconfig", config(l.proxy.url(), "{}"))
	return l
}

func config(server, user string) string {
	return fmt.Sprintf(`{"apiVersion": "v1", "kind": "Config", "current-context": "c",
"clusters": [{"name": "c", "cluster": {"server": %q, "certificate-authority": %q}}], "users": [{"name": "u", "user": %s}],
"contexts": [{"name": "c", "context": {"cluster": "c", "user": "u", "namespace": "shop"}}]}`, server, os.Getenv("LAB_CA"), user)
}

func (l *lab) write(name, text string) string {
	path := filepath.Join(l.scratch, name)
	must(os.WriteFile(path, []byte(text), 0o600))
	return path
}

func (l *lab) run(f fault, args ...string) result { return l.runAs(f, l.kubeconfig, args...) }

func (l *lab) runAs(f fault, kubeconfig string, args ...string) result {
	var out, errs bytes.Buffer
	termination := filepath.Join(l.scratch, "termination")
	os.Remove(termination)
	cmd := exec.Command(l.perch, args...)
	cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = &out, &errs, l.attr
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + l.scratch, "KUBECONFIG=" + kubeconfig,
		"POD_NAME=flagger-1", "POD_NAMESPACE=" + system, "PERCH_TERMINATION_LOG=" + termination}
	begun := time.Now()
	l.proxy.begin(f, func() *os.Process {
		must(cmd.Start())
		return cmd.Process
	})
	alarm := time.AfterFunc(longest, func() { cmd.Process.Kill() })
	cmd.Wait()
	alarm.Stop()
	said, _ := os.ReadFile(termination)
	code := cmd.ProcessState.ExitCode()
	if ended := cmd.ProcessState.Sys().(syscall.WaitStatus); ended.Signaled() && ended.Signal() != syscall.SIGKILL {
		code = 128 + int(ended.Signal())
	}
	return result{code, out.String(), errs.String(), string(said), l.proxy.requests(), time.Since(begun), l.proxy.ending()}
}

// writes are the requests of a run that aren't reads.
func (r result) writes() int {
	n := 0
	for _, asked := range r.requests {
		if !strings.HasPrefix(asked, "GET ") {
			n++
		}
	}
	return n
}

func (r result) String() string {
	return fmt.Sprintf("exit %d after %d requests, %.1f s\n%s%s", r.code, len(r.requests), r.took.Seconds(), r.out, r.err)
}

// check counts; what doesn't hold is printed with why.
func (l *lab) check(holds bool, what string, why ...any) {
	if holds {
		l.passed++
		return
	}
	l.failed++
	fmt.Printf("not ok - %s\n    %s\n", what, strings.ReplaceAll(strings.TrimSpace(fmt.Sprint(why...)), "\n", "\n    "))
}
