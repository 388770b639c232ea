// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// content is what a volume of files holds, by path.
type content struct {
	files map[string]string
	modes map[string]os.FileMode
	until time.Time // when the first of its tokens is to be replaced; zero if it has none
}

func newContent() *content {
	return &content{files: map[string]string{}, modes: map[string]os.FileMode{}}
}

// prepare makes the pod's volumes; what they are made of may come later.
func (p *pod) prepare() bool {
	for i := range p.object.Spec.Volumes {
		v := &p.object.Spec.Volumes[i]
		made := wait(p.ctx, time.Second, func() bool {
			err := p.fill(v)
			if err == nil {
				return true
			}
			for _, c := range append(p.inits, p.mains...) {
				c.set(func(s *corev1.ContainerStatus) {
					s.State = waiting("ContainerCreating", "volume "+v.Name+": "+err.Error())
				})
			}
			return false
		})
		if !made {
			return false
		}
	}
	return true
}

func (p *pod) volume(name string) string { return filepath.Join(p.folder(), name) }

func (p *pod) fill(v *corev1.Volume) error {
	folder := p.volume(v.Name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	made, err := p.content(v)
	if err != nil {
		return err
	}
	if made == nil {
		return os.Chmod(folder, 0o777)
	}
	if !made.until.IsZero() {
		p.tokens[v.Name] = made.until
	}
	return made.write(folder)
}

// content is nil for a volume that begins empty: of the kinds that aren't files, an emptyDir stands for all but hostPath.
func (p *pod) content(v *corev1.Volume) (made *content, err error) {
	made = newContent()
	switch {
	case v.ConfigMap != nil:
		err = p.addConfigMap(made, v.ConfigMap.Name, v.ConfigMap.Items, v.ConfigMap.Optional, v.ConfigMap.DefaultMode)
	case v.Secret != nil:
		err = p.addSecret(made, v.Secret.SecretName, v.Secret.Items, v.Secret.Optional, v.Secret.DefaultMode)
	case v.DownwardAPI != nil:
		err = p.addFields(made, v.DownwardAPI.Items, v.DownwardAPI.DefaultMode)
	case v.Projected != nil:
		for _, source := range v.Projected.Sources {
			if err = p.addProjected(made, source, v.Projected.DefaultMode); err != nil {
				break
			}
		}
	default:
		return nil, nil
	}
	return made, err
}

func (p *pod) addProjected(made *content, source corev1.VolumeProjection, mode *int32) error {
	switch {
	case source.ConfigMap != nil:
		return p.addConfigMap(made, source.ConfigMap.Name, source.ConfigMap.Items, source.ConfigMap.Optional, mode)
	case source.Secret != nil:
		return p.addSecret(made, source.Secret.Name, source.Secret.Items, source.Secret.Optional, mode)
	case source.DownwardAPI != nil:
		return p.addFields(made, source.DownwardAPI.Items, mode)
	case source.ServiceAccountToken != nil:
		token, until, err := p.token(source.ServiceAccountToken)
		made.add(source.ServiceAccountToken.Path, token, mode, nil)
		if made.until.IsZero() || until.Before(made.until) {
			made.until = until
		}
		return err
	}
	return fmt.Errorf("the lab doesn't know this source of a projected volume")
}

func (p *pod) addConfigMap(made *content, name string, items []corev1.KeyToPath, optional *bool, mode *int32) error {
	data, err := p.configMap(name, optional)
	if err != nil {
		return err
	}
	return made.addData(data, name, items, optional, mode)
}

func (p *pod) addSecret(made *content, name string, items []corev1.KeyToPath, optional *bool, mode *int32) error {
	data, err := p.secret(name, optional)
	if err != nil {
		return err
	}
	return made.addData(data, name, items, optional, mode)
}

func (p *pod) addFields(made *content, items []corev1.DownwardAPIVolumeFile, mode *int32) (err error) {
	for _, item := range items {
		value := ""
		if item.FieldRef != nil {
			value, err = p.field(item.FieldRef.FieldPath)
		} else {
			value, err = p.resource(nil, item.ResourceFieldRef)
		}
		if err != nil {
			return err
		}
		made.add(item.Path, value, mode, item.Mode)
	}
	return nil
}

func (made *content) addData(data map[string]string, name string, items []corev1.KeyToPath, optional *bool, mode *int32) error {
	if items == nil {
		for key, value := range data {
			made.add(key, value, mode, nil)
		}
	}
	for _, item := range items {
		value, known := data[item.Key]
		if !known && !isTrue(optional) {
			return fmt.Errorf("'%s' has no key '%s'", name, item.Key)
		}
		if known {
			made.add(item.Path, value, mode, item.Mode)
		}
	}
	return nil
}

// add keeps files readable for all: containers run as any user, and the lab has no fsGroup.
func (made *content) add(path, text string, fallback, mode *int32) {
	made.files[path] = text
	made.modes[path] = 0o644
	for _, m := range []*int32{fallback, mode} {
		if m != nil {
			made.modes[path] = os.FileMode(*m)
		}
	}
}

// write replaces the content at one stroke, as a node does: the files are links through ..data, which is a link itself.
func (made *content) write(folder string) error {
	fresh, err := os.MkdirTemp(folder, "..")
	if err != nil {
		return err
	}
	os.Chmod(fresh, 0o755)
	for path, text := range made.files {
		file := filepath.Join(fresh, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
		os.Chmod(file, made.modes[path])
	}
	data := filepath.Join(folder, "..data")
	before, _ := os.Readlink(data)
	if err := os.Symlink(filepath.Base(fresh), data+"_new"); err != nil {
		return err
	}
	if err := os.Rename(data+"_new", data); err != nil {
		return err
	}
	for path := range made.files {
		top, _, _ := strings.Cut(path, "/")
		if err := os.Symlink(filepath.Join("..data", top), filepath.Join(folder, top)); err != nil && !os.IsExist(err) {
			return err
		}
	}
	if before != "" {
		os.RemoveAll(filepath.Join(folder, before))
	}
	return nil
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}
