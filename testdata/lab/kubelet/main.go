// SPDX-License-Identifier: Apache-2.0

// Command kubelet stands in for a node: it registers one and says that its pods run. A container whose image it knows a
// binary for is really executed; of the others nothing is, they are just called running and ready.
//
//	kubelet -kubeconfig FILE -run FOLDER [-node NAME] [-schedule]
//	kubelet check    whether this machine lets containers be made
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	gosync "sync"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// kubelet is one node. run is the lab's folder: images, pods (what containers print, their process ids) and volumes are in it.
type kubelet struct {
	kubernetes.Interface
	ctx       context.Context
	node, run string
	host      string // the API server as pods are told it
	port      string
	schedule  bool
	images    images

	mu   gosync.Mutex
	pods map[types.UID]*pod // those that are executed
	all  gosync.WaitGroup
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "container" {
		becomeContainer()
	}
	if len(os.Args) > 1 && os.Args[1] == "check" {
		if err := checkSandbox(); err != nil {
			fmt.Fprintf(os.Stderr, "kubelet: this machine permits no mount namespaces: %v\n", err)
			os.Exit(1)
		}
		return
	}
	kubeconfig := flag.String("kubeconfig", "", "path of the kubeconfig")
	name := flag.String("node", "lab", "name of the node to register")
	run := flag.String("run", ".", "the lab's folder")
	schedule := flag.Bool("schedule", false, "do a scheduler's work too")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	config.QPS, config.Burst = 200, 400
	folder, err := filepath.Abs(*run)
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	k := &kubelet{
		Interface: kubernetes.NewForConfigOrDie(config), ctx: ctx, node: *name, run: folder, schedule: *schedule,
		images: images{filepath.Join(folder, "images")}, pods: map[types.UID]*pod{},
	}
	k.host, k.port = address(config.Host)
	logs := k.serveLogs()
	for err = k.register(logs); err != nil && ctx.Err() == nil; err = k.register(logs) {
		log.Print(err)
		time.Sleep(time.Second)
	}
	k.watch()
	<-ctx.Done()
	k.all.Wait() // every container is killed with its node
}

func (k *kubelet) watch() {
	factory := informers.NewSharedInformerFactory(k, 5*time.Second)
	factory.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { k.sync(o.(*corev1.Pod)) },
		UpdateFunc: func(_, o any) { k.sync(o.(*corev1.Pod)) },
		DeleteFunc: func(o any) {
			if unknown, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = unknown.Obj
			}
			k.forget(o.(*corev1.Pod))
		},
	})
	factory.Start(k.ctx.Done())
}

func (k *kubelet) sync(pod *corev1.Pod) {
	var err error
	switch {
	case pod.Spec.NodeName == "":
		if k.schedule && pod.DeletionTimestamp == nil && len(pod.Spec.SchedulingGates) == 0 {
			err = k.bind(pod)
		} else if k.schedule && pod.DeletionTimestamp != nil {
			err = k.remove(pod)
		}
	case pod.Spec.NodeName != k.node:
	case k.images.executes(pod):
		k.execute(pod)
	case pod.DeletionTimestamp != nil:
		err = k.remove(pod)
	case pod.Status.Phase != corev1.PodRunning:
		err = k.patchStatus(pod, marked(pod))
	}
	if err != nil && !errors.IsNotFound(err) && !errors.IsConflict(err) { // bound, or made anew, since
		log.Printf("%s/%s: %v", pod.Namespace, pod.Name, err)
	}
}

// execute starts what a pod says, once, and hands on that it is to end.
func (k *kubelet) execute(object *corev1.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p := k.pods[object.UID]
	over := object.Status.Phase == corev1.PodSucceeded || object.Status.Phase == corev1.PodFailed
	if p == nil && !over && object.DeletionTimestamp == nil {
		p = newPod(k, object)
		k.pods[object.UID] = p
		k.all.Add(1)
		go func() {
			defer k.all.Done()
			p.live()
		}()
	}
	switch {
	case object.DeletionTimestamp == nil:
	case p == nil:
		if err := k.remove(object); err != nil && !errors.IsNotFound(err) {
			log.Printf("%s/%s: %v", object.Namespace, object.Name, err)
		}
	default:
		p.end(object)
	}
}

// forget kills what is left of a pod that was deleted by force.
func (k *kubelet) forget(object *corev1.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if p := k.pods[object.UID]; p != nil {
		delete(k.pods, object.UID)
		p.kill()
	}
}

// remove takes a pod out of the API, which waits for its node to say so.
func (k *kubelet) remove(pod *corev1.Pod) error {
	now := int64(0)
	return k.CoreV1().Pods(pod.Namespace).Delete(context.Background(), pod.Name,
		metav1.DeleteOptions{GracePeriodSeconds: &now, Preconditions: &metav1.Preconditions{UID: &pod.UID}})
}
