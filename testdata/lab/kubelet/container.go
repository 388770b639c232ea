// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const backOff = time.Second

// container is one of an executed pod. Its status is guarded by the pod's mutex.
type container struct {
	*corev1.Container
	p      *pod
	init   bool
	status corev1.ContainerStatus
}

func newContainer(p *pod, spec *corev1.Container, init bool) *container {
	c := &container{Container: spec, p: p, init: init}
	c.status = corev1.ContainerStatus{Name: spec.Name, Image: spec.Image, State: waiting("PodInitializing", "")}
	return c
}

// run executes a container until it isn't to be restarted; true if it ended well.
func (c *container) run(ctx context.Context) bool {
	for {
		ok := c.attempt(ctx)
		if ctx.Err() != nil || c.p.isDeleted() || !c.restarts(ok) {
			return ok
		}
		c.set(func(s *corev1.ContainerStatus) {
			s.LastTerminationState = s.State
			s.State = waiting("CrashLoopBackOff", "the lab waits a second")
		})
		if !pause(ctx, backOff) {
			return ok
		}
		c.set(func(s *corev1.ContainerStatus) { s.RestartCount++ })
	}
}

func (c *container) restarts(ok bool) bool {
	policy := c.p.object.Spec.RestartPolicy
	switch {
	case sidecar(c.Container):
		return true
	case policy == corev1.RestartPolicyNever:
		return false
	case policy == corev1.RestartPolicyOnFailure || c.init:
		return !ok
	}
	return true
}

func (c *container) attempt(ctx context.Context) bool {
	binary := ""
	if !c.retry(ctx, "ErrImagePull", func() (err error) { binary, err = c.p.k.images.binary(c.Image); return err }) {
		return false
	}
	if binary == "" {
		return c.pretend(ctx)
	}
	var box sandbox
	if !c.retry(ctx, "CreateContainerConfigError", func() (err error) { box, err = c.sandbox(binary); return err }) {
		return false
	}
	return c.execute(ctx, box)
}

// retry tries every second, and says why it waits.
func (c *container) retry(ctx context.Context, reason string, try func() error) bool {
	return wait(ctx, time.Second, func() bool {
		err := try()
		if err != nil {
			c.set(func(s *corev1.ContainerStatus) { s.State = waiting(reason, err.Error()) })
		}
		return err == nil
	})
}

// pretend is the life of a container that is not executed.
func (c *container) pretend(ctx context.Context) bool {
	began := metav1.Now()
	c.set(func(s *corev1.ContainerStatus) { *s = said(c.Container, began) })
	if !c.init || sidecar(c.Container) {
		<-ctx.Done()
	}
	c.set(func(s *corev1.ContainerStatus) {
		s.Ready = c.init
		s.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: began, FinishedAt: metav1.Now()}}
	})
	return true
}

func (c *container) execute(ctx context.Context, box sandbox) bool {
	began := metav1.Now()
	log, path, err := c.log()
	if err != nil {
		return c.finished(began, 128, 0, "ContainerCannotRun", err.Error())
	}
	defer log.Close()
	command, err := box.start(log)
	if err != nil {
		return c.finished(began, 128, 0, "ContainerCannotRun", err.Error())
	}
	pid := c.file("pid")
	os.WriteFile(pid, []byte(strconv.Itoa(command.Process.Pid)+"\n"), 0o644)
	c.set(func(s *corev1.ContainerStatus) {
		started := true
		s.Started, s.ImageID = &started, imageID(c.Image)
		s.ContainerID = "lab://" + filepath.Base(path)
		s.State = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: began}}
	})
	running, ended := context.WithCancel(ctx)
	go c.becomeReady(running, box.port)
	done := make(chan error, 1)
	go func() { done <- command.Wait() }()
	select {
	case err = <-done:
	case <-ctx.Done():
		err = c.terminate(command, done)
	}
	ended()
	os.Remove(pid)
	os.RemoveAll(box.Root)
	code, signal := 0, 0
	if exit, ok := err.(*exec.ExitError); ok {
		code = exit.ExitCode()
		if w := exit.Sys().(syscall.WaitStatus); w.Signaled() {
			signal = int(w.Signal())
			code = 128 + signal
		}
	}
	reason := "Completed"
	if code != 0 {
		reason = "Error"
	}
	return c.finished(began, code, signal, reason, c.message(box, path, code))
}

// terminate asks a process to end, and kills it when its grace is over. A node that stops doesn't ask.
func (c *container) terminate(command *exec.Cmd, done chan error) error {
	if c.p.k.ctx.Err() == nil {
		command.Process.Signal(syscall.SIGTERM)
		select {
		case err := <-done:
			return err
		case <-c.p.killed:
		case <-c.p.k.ctx.Done():
		case <-time.After(c.gracePeriod()):
		}
	}
	command.Process.Kill()
	return <-done
}

func (c *container) gracePeriod() time.Duration {
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	if c.p.deleted {
		return c.p.grace
	}
	if s := c.p.object.Spec.TerminationGracePeriodSeconds; s != nil {
		return time.Duration(*s) * time.Second
	}
	return 30 * time.Second
}

func (c *container) finished(began metav1.Time, code, signal int, reason, message string) bool {
	c.set(func(s *corev1.ContainerStatus) {
		started := false
		s.Started, s.Ready = &started, c.init && !sidecar(c.Container) && code == 0
		s.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{
			ExitCode: int32(code), Signal: int32(signal), Reason: reason, Message: message,
			StartedAt: began, FinishedAt: metav1.Now(), ContainerID: s.ContainerID,
		}}
	})
	return code == 0
}

// becomeReady waits for the container's port to answer, or a second if it has none.
func (c *container) becomeReady(ctx context.Context, port int) {
	if port == 0 && !pause(ctx, time.Second) {
		return
	}
	answers := func() bool {
		if port == 0 {
			return true
		}
		connection, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second)
		if err == nil {
			connection.Close()
		}
		return err == nil
	}
	if wait(ctx, 200*time.Millisecond, answers) && (!c.init || sidecar(c.Container)) {
		c.set(func(s *corev1.ContainerStatus) { s.Ready = s.State.Running != nil })
	}
}

func (c *container) isReady() bool {
	c.p.mu.Lock()
	defer c.p.mu.Unlock()
	return c.status.Ready
}

// set changes the status and reports it if it did change.
func (c *container) set(change func(*corev1.ContainerStatus)) {
	c.p.mu.Lock()
	before := c.status.DeepCopy()
	change(&c.status)
	same := before.String() == c.status.String()
	c.p.mu.Unlock()
	if !same {
		c.p.report()
	}
}

func waiting(reason, message string) corev1.ContainerState {
	return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}
}
