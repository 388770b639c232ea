// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// variables are kept in the order in which they were set; a later value takes the place of an earlier one.
type variables struct {
	names  []string
	values map[string]string
}

func (v *variables) set(name, value string) {
	if _, known := v.values[name]; !known {
		v.names = append(v.names, name)
	}
	v.values[name] = value
}

func (v *variables) list() []string {
	list := make([]string, 0, len(v.names))
	for _, name := range v.names {
		list = append(list, name+"="+v.values[name])
	}
	return list
}

var reference = regexp.MustCompile(`\$\$|\$\([^)]*\)`)

// expand replaces $(NAME) where NAME is known; $$ is a dollar sign.
func (v *variables) expand(text string) string {
	return reference.ReplaceAllStringFunc(text, func(found string) string {
		if found == "$$" {
			return "$"
		}
		if value, known := v.values[found[2:len(found)-1]]; known {
			return value
		}
		return found
	})
}

// environment is what a container sees: the image's, the API server's address, envFrom, env.
func (c *container) environment() (*variables, error) {
	v := &variables{values: map[string]string{}}
	v.set("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/")
	v.set("HOSTNAME", c.p.object.Name)
	v.set("HOME", "/")
	v.set("KUBERNETES_SERVICE_HOST", c.p.k.host)
	v.set("KUBERNETES_SERVICE_PORT", c.p.k.port)
	v.set("KUBERNETES_SERVICE_PORT_HTTPS", c.p.k.port)
	for _, from := range c.EnvFrom {
		if err := c.p.envFrom(v, from); err != nil {
			return nil, err
		}
	}
	for _, e := range c.Env {
		value, known, err := v.expand(e.Value), true, error(nil)
		if e.ValueFrom != nil {
			value, known, err = c.value(e.ValueFrom)
		}
		if err != nil {
			return nil, err
		}
		if known {
			v.set(e.Name, value)
		}
	}
	return v, nil
}

func (p *pod) envFrom(v *variables, from corev1.EnvFromSource) (err error) {
	var data map[string]string
	switch {
	case from.ConfigMapRef != nil:
		data, err = p.configMap(from.ConfigMapRef.Name, from.ConfigMapRef.Optional)
	case from.SecretRef != nil:
		data, err = p.secret(from.SecretRef.Name, from.SecretRef.Optional)
	}
	for name, value := range data {
		v.set(from.Prefix+name, value)
	}
	return err
}

func (c *container) value(from *corev1.EnvVarSource) (value string, known bool, err error) {
	key := func(data map[string]string, name, key string, optional *bool, err error) (string, bool, error) {
		value, known := data[key]
		if err == nil && !known && !isTrue(optional) {
			err = fmt.Errorf("couldn't find key %s in %s/%s", key, c.p.object.Namespace, name)
		}
		return value, known, err
	}
	switch {
	case from.ConfigMapKeyRef != nil:
		ref := from.ConfigMapKeyRef
		data, err := c.p.configMap(ref.Name, ref.Optional)
		return key(data, ref.Name, ref.Key, ref.Optional, err)
	case from.SecretKeyRef != nil:
		ref := from.SecretKeyRef
		data, err := c.p.secret(ref.Name, ref.Optional)
		return key(data, ref.Name, ref.Key, ref.Optional, err)
	case from.FieldRef != nil:
		value, err = c.p.field(from.FieldRef.FieldPath)
		return value, true, err
	case from.ResourceFieldRef != nil:
		value, err = c.p.resource(c.Container, from.ResourceFieldRef)
		return value, true, err
	}
	return "", false, fmt.Errorf("the lab doesn't know this source of a variable")
}

var mapField = regexp.MustCompile(`^metadata\.(labels|annotations)\['(.+)'\]$`)

func (p *pod) field(path string) (string, error) {
	o := p.object
	if m := mapField.FindStringSubmatch(path); m != nil {
		return map[string]map[string]string{"labels": o.Labels, "annotations": o.Annotations}[m[1]][m[2]], nil
	}
	fields := map[string]string{
		"metadata.name": o.Name, "metadata.namespace": o.Namespace, "metadata.uid": string(o.UID),
		"metadata.labels": quoted(o.Labels), "metadata.annotations": quoted(o.Annotations),
		"spec.nodeName": o.Spec.NodeName, "spec.serviceAccountName": o.Spec.ServiceAccountName,
		"status.podIP": p.ip, "status.podIPs": p.ip, "status.hostIP": p.k.host, "status.hostIPs": p.k.host,
	}
	value, known := fields[path]
	if !known {
		return "", fmt.Errorf("the lab doesn't know the field '%s'", path)
	}
	return value, nil
}

// quoted is a map as a file of the downward API has it.
func quoted(m map[string]string) string {
	var lines []string
	for _, key := range sortedKeys(m) {
		lines = append(lines, key+"="+strconv.Quote(m[key]))
	}
	return strings.Join(lines, "\n")
}

func (p *pod) resource(c *corev1.Container, ref *corev1.ResourceFieldSelector) (string, error) {
	for _, list := range [][]corev1.Container{p.object.Spec.InitContainers, p.object.Spec.Containers} {
		for i := range list {
			if list[i].Name == ref.ContainerName {
				c = &list[i]
			}
		}
	}
	kind, name, _ := strings.Cut(ref.Resource, ".")
	if c == nil || kind != "limits" && kind != "requests" {
		return "", fmt.Errorf("the lab doesn't know the resource '%s'", ref.Resource)
	}
	amount := map[string]corev1.ResourceList{"limits": c.Resources.Limits, "requests": c.Resources.Requests}[kind][corev1.ResourceName(name)]
	divisor := ref.Divisor
	if divisor.IsZero() {
		divisor = resource.MustParse("1")
	}
	return strconv.FormatInt(int64(math.Ceil(float64(amount.MilliValue())/float64(divisor.MilliValue()))), 10), nil
}

// configMap and secret are nil if the object is absent and optional.
func (p *pod) configMap(name string, optional *bool) (map[string]string, error) {
	o, err := p.k.CoreV1().ConfigMaps(p.object.Namespace).Get(p.ctx, name, metav1.GetOptions{})
	if errors.IsNotFound(err) && isTrue(optional) {
		return nil, nil
	}
	data := map[string]string{}
	for key, value := range o.BinaryData {
		data[key] = string(value)
	}
	for key, value := range o.Data {
		data[key] = value
	}
	return data, err
}

func (p *pod) secret(name string, optional *bool) (map[string]string, error) {
	o, err := p.k.CoreV1().Secrets(p.object.Namespace).Get(p.ctx, name, metav1.GetOptions{})
	if errors.IsNotFound(err) && isTrue(optional) {
		return nil, nil
	}
	data := map[string]string{}
	for key, value := range o.Data {
		data[key] = string(value)
	}
	return data, err
}

func isTrue(b *bool) bool { return b != nil && *b }
