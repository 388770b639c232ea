// SPDX-License-Identifier: Apache-2.0

package main

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// marked is the status of a pod of which nothing is executed: init containers are done, the others run and are ready.
func marked(pod *corev1.Pod) corev1.PodStatus {
	now := metav1.Now()
	status := corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.1.0.1", StartTime: &now}
	status.Conditions = conditions(pod, now, true, true)
	for _, c := range pod.Spec.InitContainers {
		s := said(&c, now)
		if !sidecar(&c) {
			s.State = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{Reason: "Completed", StartedAt: now, FinishedAt: now}}
		}
		status.InitContainerStatuses = append(status.InitContainerStatuses, s)
	}
	for _, c := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, said(&c, now))
	}
	return status
}

func said(c *corev1.Container, now metav1.Time) corev1.ContainerStatus {
	started := true
	return corev1.ContainerStatus{
		Name: c.Name, Image: c.Image, ImageID: imageID(c.Image), Ready: true, Started: &started,
		State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}},
	}
}

// conditions are those of a pod, its readiness gates among them.
func conditions(pod *corev1.Pod, now metav1.Time, initialized, ready bool) []corev1.PodCondition {
	var list []corev1.PodCondition
	add := func(t corev1.PodConditionType, holds bool) {
		c := corev1.PodCondition{Type: t, Status: corev1.ConditionFalse, LastTransitionTime: now}
		if holds {
			c.Status = corev1.ConditionTrue
		}
		for _, before := range pod.Status.Conditions {
			if before.Type == t && before.Status == c.Status {
				c.LastTransitionTime = before.LastTransitionTime
			}
		}
		list = append(list, c)
	}
	add(corev1.PodScheduled, true)
	add(corev1.PodInitialized, initialized)
	add(corev1.ContainersReady, ready)
	add(corev1.PodReady, ready)
	for _, gate := range pod.Spec.ReadinessGates {
		add(gate.ConditionType, true)
	}
	return list
}

func sidecar(c *corev1.Container) bool {
	return c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways
}
