// SPDX-License-Identifier: Apache-2.0

// Command kubelet stands in for a node: it registers one, and reports every pod as running and ready. Nothing is executed.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"log"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	kubeconfig := flag.String("kubeconfig", "", "path of the kubeconfig")
	name := flag.String("node", "lab", "name of the node to register")
	flag.Parse()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	config.QPS, config.Burst = 200, 400
	client := kubernetes.NewForConfigOrDie(config)
	ctx := context.Background()
	for err = register(ctx, client, *name); err != nil; err = register(ctx, client, *name) {
		log.Print(err)
		time.Sleep(time.Second)
	}

	pods := informers.NewSharedInformerFactory(client, 5*time.Second)
	pods.Core().V1().Pods().Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { sync(ctx, client, *name, o.(*corev1.Pod)) },
		UpdateFunc: func(_, o any) { sync(ctx, client, *name, o.(*corev1.Pod)) },
	})
	pods.Start(ctx.Done())
	select {}
}

// register adds the node and takes off the not-ready taint that admission puts on every new one: DaemonSets don't tolerate it.
func register(ctx context.Context, client kubernetes.Interface, name string) error {
	nodes := client.CoreV1().Nodes()
	capacity := corev1.ResourceList{
		"cpu": resource.MustParse("64"), "memory": resource.MustParse("256Gi"),
		"ephemeral-storage": resource.MustParse("1Ti"), "pods": resource.MustParse("1000"),
	}
	_, err := nodes.Create(ctx, &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{
			"kubernetes.io/hostname": name, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
			"topology.kubernetes.io/zone": "a",
		}},
		Status: corev1.NodeStatus{
			Capacity: capacity, Allocatable: capacity,
			Conditions: []corev1.NodeCondition{{
				Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "Lab",
				LastHeartbeatTime: metav1.Now(), LastTransitionTime: metav1.Now(),
			}},
		},
	}, metav1.CreateOptions{})
	if err != nil && !errors.IsAlreadyExists(err) {
		return err
	}
	_, err = nodes.Patch(ctx, name, types.MergePatchType, []byte(`{"spec":{"taints":null}}`), metav1.PatchOptions{})
	return err
}

// sync does a scheduler's work too: it binds what has no node.
func sync(ctx context.Context, client kubernetes.Interface, node string, pod *corev1.Pod) {
	var err error
	pods := client.CoreV1().Pods(pod.Namespace)
	switch {
	case pod.DeletionTimestamp != nil:
		now := int64(0)
		err = pods.Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})
	case pod.Spec.NodeName == "" && len(pod.Spec.SchedulingGates) == 0:
		err = pods.Bind(ctx, &corev1.Binding{
			ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace},
			Target:     corev1.ObjectReference{Kind: "Node", Name: node},
		}, metav1.CreateOptions{})
	case pod.Status.Phase != corev1.PodRunning:
		patch, _ := json.Marshal(map[string]any{"status": running(pod)})
		_, err = pods.Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	}
	if err != nil && !errors.IsNotFound(err) {
		log.Printf("%s/%s: %v", pod.Namespace, pod.Name, err)
	}
}

func running(pod *corev1.Pod) corev1.PodStatus {
	now := metav1.Now()
	status := corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.1.0.1", StartTime: &now}
	for _, t := range []corev1.PodConditionType{corev1.PodScheduled, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		status.Conditions = append(status.Conditions, corev1.PodCondition{Type: t, Status: corev1.ConditionTrue, LastTransitionTime: now})
	}
	for _, gate := range pod.Spec.ReadinessGates {
		status.Conditions = append(status.Conditions,
			corev1.PodCondition{Type: gate.ConditionType, Status: corev1.ConditionTrue, LastTransitionTime: now})
	}
	started := true
	for _, c := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Image: c.Image, Ready: true, Started: &started,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
		})
	}
	return status
}
