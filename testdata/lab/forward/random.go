// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"math/rand"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
)

// generator makes the objects of one canary; its configs are named after it, so that canaries don't share any.
type generator struct {
	*rand.Rand
	name string
}

func pick[T any](r *rand.Rand, from ...T) T { return from[r.Intn(len(from))] }

func (g *generator) chance(n int) bool { return g.Intn(n) == 0 }

const configs = 6 // of each kind; the last one never exists

func (g *generator) config(i int) string { return fmt.Sprintf("%s-%d", g.name, i) }

func (g *generator) annotations() map[string]string {
	return pick(g.Rand, nil, nil, nil, map[string]string{"flagger.app/config-tracking": pick(g.Rand, "disabled", "disable", "enabled", "Disabled", "")})
}

func (g *generator) text() string {
	return pick(g.Rand, "", "a", "<b>&\"c\"", "tab\tline\n", "\u2028é\U0001F600", "\x01\b\f\x7f", "a=b\n#c")
}

// orNil is what an API server makes of an empty map.
func orNil(m map[string]string) map[string]string {
	if len(m) == 0 {
		return nil
	}
	return m
}

func (g *generator) data() map[string]string {
	if g.chance(5) {
		return nil
	}
	data := map[string]string{}
	for i := g.Intn(4); i > 0; i-- {
		data[pick(g.Rand, "k", "a.b", "Z", "0", "-")] = g.text()
	}
	return orNil(data)
}

func (g *generator) bytes() map[string][]byte {
	var data map[string][]byte
	for k, v := range g.data() {
		if data == nil {
			data = map[string][]byte{}
		}
		data[k] = []byte(v)
	}
	return data
}

func (g *generator) configMap(i int) *corev1.ConfigMap {
	c := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: g.config(i), Annotations: g.annotations()}, Data: g.data()}
	if g.chance(4) {
		c.BinaryData = map[string][]byte{"bin": {0, 1, byte(g.Intn(256))}}
	}
	return c
}

func (g *generator) secret(i int) *corev1.Secret {
	return &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: g.config(i), Annotations: g.annotations()},
		Type: pick(g.Rand, corev1.SecretTypeOpaque, corev1.SecretTypeOpaque, corev1.SecretTypeTLS, corev1.SecretTypeBasicAuth,
			corev1.SecretTypeSSHAuth, corev1.SecretTypeDockerConfigJson, corev1.SecretTypeServiceAccountToken, "example.com/own"),
		Data: g.bytes(),
	}
}

func (g *generator) configs() []runtime.Object {
	var objects []runtime.Object
	for i := 0; i < configs-1; i++ {
		if !g.chance(8) {
			objects = append(objects, g.configMap(i))
		}
		if !g.chance(8) {
			objects = append(objects, g.secret(i))
		}
	}
	return objects
}

// ref names a config; one that may be missing is mostly optional.
func (g *generator) ref() (corev1.LocalObjectReference, *bool) {
	optional := pick(g.Rand, nil, nil, new(bool))
	if g.chance(2) {
		yes := true
		return corev1.LocalObjectReference{Name: g.config(g.Intn(configs))}, &yes
	}
	return corev1.LocalObjectReference{Name: g.config(g.Intn(configs - 1))}, optional
}

func (g *generator) volume(i int) corev1.Volume {
	v := corev1.Volume{Name: fmt.Sprintf("v%d", i)}
	name, optional := g.ref()
	switch g.Intn(5) {
	case 0:
		v.ConfigMap = &corev1.ConfigMapVolumeSource{LocalObjectReference: name, Optional: optional}
	case 1:
		v.Secret = &corev1.SecretVolumeSource{SecretName: name.Name, Optional: optional}
	case 2:
		v.EmptyDir = &corev1.EmptyDirVolumeSource{}
	default:
		v.Projected = &corev1.ProjectedVolumeSource{}
		for n := g.Intn(4); n > 0; n-- {
			v.Projected.Sources = append(v.Projected.Sources, g.projection())
		}
	}
	return v
}

func (g *generator) projection() corev1.VolumeProjection {
	name, optional := g.ref()
	switch g.Intn(3) {
	case 0:
		return corev1.VolumeProjection{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: name, Optional: optional}}
	case 1:
		return corev1.VolumeProjection{Secret: &corev1.SecretProjection{LocalObjectReference: name, Optional: optional}}
	}
	return corev1.VolumeProjection{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{Path: "t"}}
}

func (g *generator) env(i int) corev1.EnvVar {
	e := corev1.EnvVar{Name: fmt.Sprintf("E%d", i)}
	name, optional := g.ref()
	switch g.Intn(4) {
	case 0:
		e.ValueFrom = &corev1.EnvVarSource{ConfigMapKeyRef: &corev1.ConfigMapKeySelector{LocalObjectReference: name, Key: "k", Optional: optional}}
	case 1:
		e.ValueFrom = &corev1.EnvVarSource{SecretKeyRef: &corev1.SecretKeySelector{LocalObjectReference: name, Key: "k", Optional: optional}}
	case 2:
		e.ValueFrom = &corev1.EnvVarSource{FieldRef: &corev1.ObjectFieldSelector{APIVersion: "v1", FieldPath: "metadata.name"}}
	default:
		e.Value = g.config(g.Intn(configs))
	}
	return e
}

func (g *generator) envFrom() corev1.EnvFromSource {
	name, optional := g.ref()
	if g.chance(2) {
		return corev1.EnvFromSource{ConfigMapRef: &corev1.ConfigMapEnvSource{LocalObjectReference: name, Optional: optional}}
	}
	return corev1.EnvFromSource{SecretRef: &corev1.SecretEnvSource{LocalObjectReference: name, Optional: optional}}
}

func (g *generator) container(name string) corev1.Container {
	c := corev1.Container{Name: name, Image: "i:1"}
	for i := g.Intn(4); i > 0; i-- {
		c.Env = append(c.Env, g.env(i))
	}
	for i := g.Intn(3); i > 0; i-- {
		c.EnvFrom = append(c.EnvFrom, g.envFrom())
	}
	return c
}

func (g *generator) value() string {
	return pick(g.Rand, g.name, g.name, "other", g.name+"-primary", "")
}

func (g *generator) key() string {
	return pick(g.Rand, "app", "name", "app.kubernetes.io/name", "tier", "kustomize.toolkit.fluxcd.io/name", "flagger-id", "apps", "na")
}

func (g *generator) pairs() map[string]string {
	if g.chance(4) {
		return nil
	}
	m := map[string]string{}
	for i := g.Intn(4); i > 0; i-- {
		m[g.key()] = g.value()
	}
	return orNil(m)
}

func (g *generator) selector() *metav1.LabelSelector {
	if g.chance(5) {
		return nil
	}
	s := &metav1.LabelSelector{MatchLabels: g.pairs()}
	for i := g.Intn(3); i > 0; i-- {
		e := metav1.LabelSelectorRequirement{Key: g.key(), Operator: metav1.LabelSelectorOpIn}
		for n := g.Intn(4); n > 0; n-- {
			e.Values = append(e.Values, g.value())
		}
		s.MatchExpressions = append(s.MatchExpressions, e)
	}
	return s
}

func (g *generator) terms() (terms []corev1.PodAffinityTerm) {
	for i := g.Intn(3); i > 0; i-- {
		terms = append(terms, corev1.PodAffinityTerm{TopologyKey: "zone", LabelSelector: g.selector()})
	}
	return terms
}

func (g *generator) weighted() (terms []corev1.WeightedPodAffinityTerm) {
	for _, t := range g.terms() {
		terms = append(terms, corev1.WeightedPodAffinityTerm{Weight: 1, PodAffinityTerm: t})
	}
	return terms
}

func (g *generator) affinity() *corev1.Affinity {
	if g.chance(2) {
		return nil
	}
	a := &corev1.Affinity{}
	if g.chance(2) {
		a.PodAffinity = &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: g.terms()}
	}
	if !g.chance(4) {
		a.PodAntiAffinity = &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: g.terms(), PreferredDuringSchedulingIgnoredDuringExecution: g.weighted(),
		}
	}
	return a
}

func (g *generator) template(labels map[string]string) corev1.PodTemplateSpec {
	t := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: g.pairs(), Annotations: g.pairs()}}
	if g.chance(5) {
		t.Name = "template"
	}
	if t.Labels == nil {
		t.Labels = map[string]string{}
	}
	for k, v := range labels {
		t.Labels[k] = v
	}
	for i := g.Intn(4); i > 0; i-- {
		t.Spec.Volumes = append(t.Spec.Volumes, g.volume(i))
	}
	for i := g.Intn(3); i > 0; i-- {
		t.Spec.InitContainers = append(t.Spec.InitContainers, g.container(fmt.Sprintf("i%d", i)))
	}
	for i := g.Intn(2) + 1; i > 0; i-- {
		t.Spec.Containers = append(t.Spec.Containers, g.container(fmt.Sprintf("c%d", i)))
	}
	for i := g.Intn(3); i > 0; i-- {
		t.Spec.TopologySpreadConstraints = append(t.Spec.TopologySpreadConstraints,
			corev1.TopologySpreadConstraint{MaxSkew: 1, TopologyKey: fmt.Sprintf("t%d", i), WhenUnsatisfiable: "DoNotSchedule", LabelSelector: g.selector()})
	}
	t.Spec.Affinity = g.affinity()
	t.Spec.NodeSelector = pick(g.Rand, nil, map[string]string{"disk": "ssd"})
	return t
}

func (g *generator) target(kind string) runtime.Object {
	labels := map[string]string{pick(g.Rand, selectorLabels...): pick(g.Rand, g.name, "v-"+g.name)}
	if g.chance(3) {
		labels["tier"] = "front"
	}
	meta := metav1.ObjectMeta{Namespace: namespace, Name: g.name}
	selector := &metav1.LabelSelector{MatchLabels: labels}
	if kind == "Deployment" {
		return &appsv1.Deployment{ObjectMeta: meta, Spec: appsv1.DeploymentSpec{Selector: selector, Template: g.template(labels)}}
	}
	return &appsv1.DaemonSet{ObjectMeta: meta, Spec: appsv1.DaemonSetSpec{Selector: selector, Template: g.template(labels)}}
}

// retouch changes a template so that there is something to promote; its refs stay.
func (g *generator) retouch(t *corev1.PodTemplateSpec) {
	t.Spec.Containers[0].Image = "i:2"
	if g.chance(2) {
		t.Annotations = map[string]string{"a": "b"}
	}
	if g.chance(2) {
		t.Spec.Affinity = g.affinity()
	}
}

// stir changes, adds or removes a config or two, or nothing.
func (g *generator) stir(kube *fake.Clientset) {
	ctx := context.TODO()
	for n := g.Intn(3); n > 0; n-- {
		i := g.Intn(configs)
		switch g.Intn(4) {
		case 0:
			kube.CoreV1().ConfigMaps(namespace).Delete(ctx, g.config(i), metav1.DeleteOptions{})
		case 1:
			kube.CoreV1().Secrets(namespace).Delete(ctx, g.config(i), metav1.DeleteOptions{})
		case 2:
			c := g.configMap(i)
			if _, err := kube.CoreV1().ConfigMaps(namespace).Update(ctx, c, metav1.UpdateOptions{}); err != nil {
				kube.CoreV1().ConfigMaps(namespace).Create(ctx, c, metav1.CreateOptions{})
			}
		case 3:
			s := g.secret(i)
			if _, err := kube.CoreV1().Secrets(namespace).Update(ctx, s, metav1.UpdateOptions{}); err != nil {
				kube.CoreV1().Secrets(namespace).Create(ctx, s, metav1.CreateOptions{})
			}
		}
	}
}
