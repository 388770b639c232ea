// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// images says which binary an image stands for: a file of lines IMAGE=PATH, read anew each time, so that a scenario may add
// to it. IMAGE is a whole reference, or the last part of a repository with or without a tag; PATH is absolute, or another IMAGE.
type images struct{ file string }

func (i images) table() map[string]string {
	rows := map[string]string{}
	text, _ := os.ReadFile(i.file)
	for _, line := range strings.Split(string(text), "\n") {
		if image, path, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(image, "#") {
			rows[image] = path
		}
	}
	return rows
}

// binary is the path of an image's binary, "" if the lab doesn't know the image at all. An error is one of pulling: the
// repository is known, the tag isn't, or what it stands for isn't built.
func (i images) binary(image string) (string, error) {
	rows := i.table()
	for asked, depth := image, 0; depth < 8; depth++ {
		name, tag := nameAndTag(image)
		path := first(rows[image], rows[name+":"+tag], rows[name])
		switch {
		case path == "" && !hasName(rows, name):
			return "", nil
		case path == "":
			return "", fmt.Errorf("the lab has no binary for '%s'", asked)
		case !strings.HasPrefix(path, "/"):
			image = path
		default:
			if _, err := os.Stat(path); err != nil {
				return "", fmt.Errorf("the binary of '%s' is not built: %v", asked, err)
			}
			return path, nil
		}
	}
	return "", fmt.Errorf("'%s' stands for itself", image)
}

// executes tells whether any container of a pod has a binary, or would have with another tag.
func (i images) executes(pod *corev1.Pod) bool {
	for _, list := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for _, c := range list {
			if path, err := i.binary(c.Image); path != "" || err != nil {
				return true
			}
		}
	}
	return false
}

func nameAndTag(image string) (name, tag string) {
	image, _, _ = strings.Cut(image, "@")
	name, tag, _ = strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	return name, tag
}

func hasName(rows map[string]string, name string) bool {
	for image := range rows {
		if known, _ := nameAndTag(image); known == name {
			return true
		}
	}
	return false
}

// imageID is what a node reports: the reference by digest. Without one, a digest is made of the reference.
func imageID(image string) string {
	if strings.Contains(image, "@") {
		return image
	}
	repository := image
	if colon := strings.LastIndex(image, ":"); colon > strings.LastIndex(image, "/") {
		repository = image[:colon]
	}
	return fmt.Sprintf("%s@sha256:%x", repository, sha256.Sum256([]byte(image)))
}

func first(candidates ...string) string {
	for _, s := range candidates {
		if s != "" {
			return s
		}
	}
	return ""
}
