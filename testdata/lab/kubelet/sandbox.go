// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"syscall"

	corev1 "k8s.io/api/core/v1"
)

// sandbox is what a process finds around itself: a small root with the machine's programs and libraries read-only, the
// container's mounts, namespaces of its own for mounts, processes and the host name. The network is the machine's.
type sandbox struct {
	Root        string // an empty folder
	Binary      string // found as /NAME
	Args, Env   []string
	Dir, Host   string
	Mounts      []mount
	ReadOnly    bool
	User, Group int

	message string // the file that the termination message is written to
	port    int    // where it answers, 0 if nobody knows
}

type mount struct {
	Source, Target string
	ReadOnly       bool
}

const nobody = 65534 // who an image runs as that must not run as root and names nobody

// sandbox makes what the container needs outside, and says what it is to find inside.
func (c *container) sandbox(binary string) (sandbox, error) {
	box := sandbox{Binary: binary, Host: c.p.object.Name, Dir: first(c.WorkingDir, "/")}
	v, err := c.environment()
	if err != nil {
		return box, err
	}
	box.Env = v.list()
	for _, m := range c.VolumeMounts {
		box.Mounts = append(box.Mounts, mount{c.p.source(m), m.MountPath, m.ReadOnly})
	}
	sort.SliceStable(box.Mounts, func(i, j int) bool { return box.Mounts[i].Target < box.Mounts[j].Target })
	roots := filepath.Join(c.p.k.run, "volumes", string(c.p.object.UID), "..containers")
	if err := os.MkdirAll(roots, 0o755); err != nil {
		return box, err
	}
	if box.Root, err = os.MkdirTemp(roots, c.Name+"."); err != nil {
		return box, err
	}
	box.message = box.Root + ".message"
	if err := os.WriteFile(box.message, nil, 0o666); err != nil {
		return box, err
	}
	os.Chmod(box.message, 0o666)
	box.Mounts = append(box.Mounts, mount{box.message, first(c.TerminationMessagePath, corev1.TerminationMessagePathDefault), false})
	box.secure(c.p.object.Spec.SecurityContext, c.SecurityContext)
	box.Args, box.port = c.arguments(filepath.Base(binary), v)
	return box, nil
}

// source is where a mounted volume is on the machine.
func (p *pod) source(m corev1.VolumeMount) string {
	for _, v := range p.object.Spec.Volumes {
		if v.Name == m.Name && v.HostPath != nil {
			return filepath.Join(v.HostPath.Path, m.SubPath)
		}
	}
	return filepath.Join(p.volume(m.Name), m.SubPath)
}

func (box *sandbox) secure(pod *corev1.PodSecurityContext, own *corev1.SecurityContext) {
	if pod == nil {
		pod = &corev1.PodSecurityContext{}
	}
	if own == nil {
		own = &corev1.SecurityContext{}
	}
	if isTrue(pod.RunAsNonRoot) || isTrue(own.RunAsNonRoot) {
		box.User, box.Group = nobody, nobody
	}
	for _, user := range []*int64{pod.RunAsUser, own.RunAsUser} {
		if user != nil {
			box.User = int(*user)
		}
	}
	for _, group := range []*int64{pod.RunAsGroup, own.RunAsGroup} {
		if group != nil {
			box.Group = int(*group)
		}
	}
	box.ReadOnly = isTrue(own.ReadOnlyRootFilesystem)
}

// start runs this program in new namespaces, where it becomes the container. What it is told goes through a pipe: it has secrets.
func (box *sandbox) start(log *os.File) (*exec.Cmd, error) {
	read, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer write.Close()
	command := exec.Command("/proc/self/exe", "container")
	command.Args[0] = "kubelet"
	command.Env = []string{}
	command.Stdout, command.Stderr = log, log
	command.ExtraFiles = []*os.File{read}
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: namespaces, Setsid: true}
	err = command.Start()
	read.Close()
	if err == nil {
		err = json.NewEncoder(write).Encode(box)
	}
	return command, err
}

func readSandbox(from io.Reader) (box sandbox, err error) {
	err = json.NewDecoder(from).Decode(&box)
	return box, err
}

// environmentPath is the PATH among a container's variables.
func environmentPath(env []string) string {
	path := ""
	for _, variable := range env {
		if name, value, _ := strings.Cut(variable, "="); name == "PATH" {
			path = value
		}
	}
	return path
}
