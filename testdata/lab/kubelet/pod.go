// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"log"
	"os"
	"path/filepath"
	gosync "sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// pod is one that is executed. Its life is one goroutine, live; each of its containers has another while it runs.
type pod struct {
	k        *kubelet
	object   *corev1.Pod // as it was when it began
	ip       string
	started  metav1.Time
	inits    []*container
	mains    []*container
	ctx      context.Context // ends with the pod
	cancel   context.CancelFunc
	tokens   map[string]time.Time // when the tokens of a volume are to be replaced
	ending   gosync.Once
	killed   chan struct{} // closed if there is no grace left
	killing  gosync.Once
	reported gosync.Mutex // held while a status is on its way, so that none overtakes another

	mu      gosync.Mutex // guards what follows, and the containers' statuses
	phase   corev1.PodPhase
	deleted bool
	grace   time.Duration
}

func newPod(k *kubelet, object *corev1.Pod) *pod {
	p := &pod{k: k, object: object.DeepCopy(), started: metav1.Now(), killed: make(chan struct{}), phase: corev1.PodPending, tokens: map[string]time.Time{}}
	p.ctx, p.cancel = context.WithCancel(k.ctx)
	h := fnv.New32a()
	h.Write([]byte(object.UID))
	n := h.Sum32()
	p.ip = fmt.Sprintf("10.%d.%d.%d", 2+n%200, n>>8&255, 1+n>>16%250)
	for i := range p.object.Spec.InitContainers {
		p.inits = append(p.inits, newContainer(p, &p.object.Spec.InitContainers[i], true))
	}
	for i := range p.object.Spec.Containers {
		p.mains = append(p.mains, newContainer(p, &p.object.Spec.Containers[i], false))
	}
	return p
}

func (p *pod) live() {
	p.report()
	ok := p.prepare()
	go p.refresh()
	sidecars, stop := context.WithCancel(p.ctx)
	var beside gosync.WaitGroup
	if ok = ok && p.initialize(sidecars, &beside); ok {
		ok = p.serve()
	}
	stop()
	beside.Wait()
	if p.k.ctx.Err() != nil {
		return
	}
	p.mu.Lock()
	p.phase = corev1.PodFailed
	if ok {
		p.phase = corev1.PodSucceeded
	}
	p.mu.Unlock()
	p.report()
	<-p.ctx.Done()
	os.RemoveAll(p.folder())
	if p.isDeleted() {
		p.k.mu.Lock()
		delete(p.k.pods, p.object.UID)
		p.k.mu.Unlock()
		if err := p.k.remove(p.object); err != nil && !errors.IsNotFound(err) && !errors.IsConflict(err) {
			log.Printf("%s: %v", p.name(), err)
		}
	}
}

// initialize runs the init containers, one after another; a sidecar stays, and the next one begins when it runs.
func (p *pod) initialize(sidecars context.Context, beside *gosync.WaitGroup) bool {
	for _, c := range p.inits {
		if !sidecar(c.Container) {
			if !c.run(p.ctx) {
				return false
			}
			continue
		}
		beside.Add(1)
		go func() {
			defer beside.Done()
			c.run(sidecars)
		}()
		if !wait(p.ctx, 100*time.Millisecond, c.isReady) {
			return false
		}
	}
	return p.ctx.Err() == nil
}

// serve runs the other containers until all have ended.
func (p *pod) serve() bool {
	var all gosync.WaitGroup
	ok := make([]bool, len(p.mains))
	for i, c := range p.mains {
		all.Add(1)
		go func() {
			defer all.Done()
			ok[i] = c.run(p.ctx)
		}()
	}
	all.Wait()
	for _, ended := range ok {
		if !ended {
			return false
		}
	}
	return true
}

// end begins the pod's deletion. While the file NAMESPACE_POD.linger exists the node is as one that can't be reached: no
// signal is sent and the pod stays Terminating.
func (p *pod) end(object *corev1.Pod) {
	p.ending.Do(func() {
		p.mu.Lock()
		p.deleted = true
		if s := object.DeletionGracePeriodSeconds; s != nil {
			p.grace = time.Duration(*s) * time.Second
		}
		p.mu.Unlock()
		go func() {
			wait(p.ctx, 200*time.Millisecond, func() bool { return !exists(p.file("linger")) })
			p.cancel()
		}()
	})
}

func (p *pod) kill() {
	p.killing.Do(func() { close(p.killed) })
	p.cancel()
}

func (p *pod) isDeleted() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.deleted
}

func (p *pod) name() string { return p.object.Namespace + "/" + p.object.Name }

// folder holds the pod's volumes.
func (p *pod) folder() string { return filepath.Join(p.k.run, "volumes", string(p.object.UID)) }

// file is one that a scenario reads or makes: NAMESPACE_POD and a suffix.
func (p *pod) file(suffix string) string {
	return filepath.Join(p.k.run, "pods", p.object.Namespace+"_"+p.object.Name+"."+suffix)
}

// report writes the pod's status. The API may be away for a while.
func (p *pod) report() {
	p.reported.Lock()
	defer p.reported.Unlock()
	status := p.status()
	for range 40 {
		err := p.k.patchStatus(p.object, status)
		if err == nil || errors.IsNotFound(err) || errors.IsConflict(err) || p.k.ctx.Err() != nil {
			break
		}
		log.Printf("%s: %v", p.name(), err)
		time.Sleep(500 * time.Millisecond)
	}
	p.object.Status.Conditions = status.Conditions
}

func (p *pod) status() corev1.PodStatus {
	p.mu.Lock()
	defer p.mu.Unlock()
	status := corev1.PodStatus{Phase: p.phase, PodIP: p.ip, PodIPs: []corev1.PodIP{{IP: p.ip}}, StartTime: &p.started}
	over := p.phase == corev1.PodSucceeded || p.phase == corev1.PodFailed
	initialized, ready := true, !over
	for _, c := range p.inits {
		status.InitContainerStatuses = append(status.InitContainerStatuses, *c.status.DeepCopy())
		initialized = initialized && c.status.Ready
	}
	for _, c := range p.mains {
		status.ContainerStatuses = append(status.ContainerStatuses, *c.status.DeepCopy())
		ready = ready && c.status.Ready
		if !over && (c.status.State.Waiting == nil || c.status.RestartCount > 0) {
			status.Phase = corev1.PodRunning
		}
	}
	status.Conditions = conditions(p.object, metav1.Now(), initialized, initialized && ready)
	return status
}

func (k *kubelet) patchStatus(pod *corev1.Pod, status corev1.PodStatus) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": status})
	if err != nil {
		return err
	}
	_, err = k.CoreV1().Pods(pod.Namespace).Patch(context.Background(), pod.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

// wait polls until something holds; false if the context ends before.
func wait(ctx context.Context, every time.Duration, holds func() bool) bool {
	for !holds() {
		if !pause(ctx, every) {
			return false
		}
	}
	return true
}

func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
