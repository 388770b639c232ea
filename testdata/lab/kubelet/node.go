// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net"
	"net/url"
	"sort"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// register adds the node and takes off the not-ready taint that admission puts on every new one: DaemonSets don't tolerate it.
func (k *kubelet) register(logs int) error {
	nodes := k.CoreV1().Nodes()
	capacity := corev1.ResourceList{
		"cpu": resource.MustParse("64"), "memory": resource.MustParse("256Gi"),
		"ephemeral-storage": resource.MustParse("1Ti"), "pods": resource.MustParse("1000"),
	}
	_, err := nodes.Create(k.ctx, &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: k.node, Labels: map[string]string{
			"kubernetes.io/hostname": k.node, "kubernetes.io/os": "linux", "kubernetes.io/arch": "amd64",
			"topology.kubernetes.io/zone": "a",
		}},
		Status: corev1.NodeStatus{
			Capacity: capacity, Allocatable: capacity,
			Addresses:       []corev1.NodeAddress{{Type: corev1.NodeInternalIP, Address: "127.0.0.1"}},
			DaemonEndpoints: corev1.NodeDaemonEndpoints{KubeletEndpoint: corev1.DaemonEndpoint{Port: int32(logs)}},
			Conditions: []corev1.NodeCondition{{
				Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "Lab",
				LastHeartbeatTime: metav1.Now(), LastTransitionTime: metav1.Now(),
			}},
		},
	}, metav1.CreateOptions{})
	if err != nil && !errors.IsAlreadyExists(err) {
		return err
	}
	_, err = nodes.Patch(k.ctx, k.node, types.MergePatchType, []byte(`{"spec":{"taints":null}}`), metav1.PatchOptions{})
	return err
}

// bind does a scheduler's work: the node that the pod names, else the oldest that isn't cordoned.
func (k *kubelet) bind(pod *corev1.Pod) error {
	node := namedNode(pod)
	if node == "" {
		list, err := k.CoreV1().Nodes().List(k.ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		sort.SliceStable(list.Items, func(i, j int) bool {
			return list.Items[i].CreationTimestamp.Before(&list.Items[j].CreationTimestamp)
		})
		for _, n := range list.Items {
			if !n.Spec.Unschedulable {
				node = n.Name
				break
			}
		}
	}
	if node == "" {
		return nil // the next resync looks again
	}
	return k.CoreV1().Pods(pod.Namespace).Bind(k.ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Name: pod.Name, Namespace: pod.Namespace},
		Target:     corev1.ObjectReference{Kind: "Node", Name: node},
	}, metav1.CreateOptions{})
}

// namedNode is the node that a DaemonSet's controller made the pod for.
func namedNode(pod *corev1.Pod) string {
	affinity := pod.Spec.Affinity
	if affinity == nil || affinity.NodeAffinity == nil || affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return ""
	}
	for _, term := range affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms {
		for _, field := range term.MatchFields {
			if field.Key == "metadata.name" && len(field.Values) == 1 {
				return field.Values[0]
			}
		}
	}
	return ""
}

func address(server string) (host, port string) {
	if u, err := url.Parse(server); err == nil {
		server = u.Host
	}
	host, port, err := net.SplitHostPort(server)
	if err != nil {
		return server, "443"
	}
	return host, port
}
