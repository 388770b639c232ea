// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

const namespaces = syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWUTS | syscall.CLONE_NEWIPC

// Of /etc only what resolves names, users, libraries and certificates: a volume may be mounted beside it.
var etc = []string{
	"alternatives", "ca-certificates", "group", "hosts", "ld.so.cache", "localtime", "nsswitch.conf", "passwd",
	"protocols", "resolv.conf", "services", "ssl",
}

// becomeContainer is the first process of new namespaces: it builds the root, enters it and becomes the container's program.
func becomeContainer() {
	runtime.LockOSThread()
	unix.CloseOnExec(3)
	box, err := readSandbox(os.NewFile(3, "sandbox"))
	if err == nil {
		err = box.enter()
	}
	fmt.Fprintf(os.Stderr, "lab: the container can't be made: %v\n", err)
	os.Exit(128)
}

func (box *sandbox) enter() error {
	if err := box.root(); err != nil {
		return err
	}
	for _, m := range box.Mounts {
		if err := bind(m.Source, filepath.Join(box.Root, m.Target), m.ReadOnly); err != nil {
			return err
		}
	}
	if err := unix.Sethostname([]byte(box.Host)); err != nil {
		return err
	}
	if box.ReadOnly {
		if err := unix.Mount("", box.Root, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, ""); err != nil {
			return fmt.Errorf("read-only root: %w", err)
		}
	}
	if err := unix.Chroot(box.Root); err != nil {
		return err
	}
	if err := os.Chdir(box.Dir); err != nil {
		return err
	}
	os.Setenv("PATH", environmentPath(box.Env))
	program, err := exec.LookPath(box.Args[0])
	if err != nil && !errors.Is(err, exec.ErrDot) {
		return err
	}
	if err := box.become(); err != nil {
		return err
	}
	return fmt.Errorf("%s: %w", program, unix.Exec(program, box.Args, box.Env))
}

// root is a file system in memory that goes with the namespace.
func (box *sandbox) root() error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := unix.Mount("tmpfs", box.Root, "tmpfs", unix.MS_NOSUID, "mode=755"); err != nil {
		return err
	}
	at := func(path string) string { return filepath.Join(box.Root, path) }
	for _, path := range []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"} {
		if target, err := os.Readlink(path); err == nil {
			if err := os.Symlink(target, at(path)); err != nil {
				return err
			}
		} else if exists(path) {
			if err := bind(path, at(path), true); err != nil {
				return err
			}
		}
	}
	for _, name := range etc {
		if path := filepath.Join("/etc", name); exists(path) {
			if err := bind(path, at(path), true); err != nil {
				return err
			}
		}
	}
	if err := box.devices(); err != nil {
		return err
	}
	if err := os.MkdirAll(at("/proc"), 0o755); err != nil {
		return err
	}
	if err := unix.Mount("proc", at("/proc"), "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("/proc: %w", err)
	}
	return bind(box.Binary, at(filepath.Base(box.Binary)), true)
}

func (box *sandbox) devices() error {
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty"} {
		if err := bind("/dev/"+name, filepath.Join(box.Root, "dev", name), false); err != nil {
			return err
		}
	}
	for name, target := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"} {
		if err := os.Symlink(target, filepath.Join(box.Root, "dev", name)); err != nil {
			return err
		}
	}
	memory := filepath.Join(box.Root, "dev/shm")
	if err := os.Mkdir(memory, 0o777); err != nil {
		return err
	}
	return unix.Mount("tmpfs", memory, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=1777,size=64m")
}

// become drops to the container's user, and sees to it that the kernel ends it with its node.
func (box *sandbox) become() error {
	if box.User != 0 || box.Group != 0 {
		if err := syscall.Setgroups([]int{}); err != nil {
			return err
		}
		if err := syscall.Setgid(box.Group); err != nil {
			return err
		}
		if err := syscall.Setuid(box.User); err != nil {
			return err
		}
	}
	return unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0)
}

// bind shows a file or folder at another place.
func bind(source, target string, readOnly bool) error {
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	if info.IsDir() {
		err = os.MkdirAll(target, 0o755)
	} else if err = os.MkdirAll(filepath.Dir(target), 0o755); err == nil && !exists(target) {
		err = os.WriteFile(target, nil, 0o644)
	}
	if err != nil {
		return err
	}
	if err := unix.Mount(source, target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	if !readOnly {
		return nil
	}
	if err := unix.Mount("", target, "", unix.MS_REMOUNT|unix.MS_BIND|unix.MS_RDONLY, ""); err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	return nil
}

// checkSandbox tries what every container needs.
func checkSandbox() error {
	root, err := os.MkdirTemp("", "perch-lab-check.")
	if err != nil {
		return err
	}
	defer os.Remove(root)
	box := sandbox{Root: root, Binary: "/bin/true", Args: []string{"/true"}, Dir: "/", Host: "check", Env: []string{}}
	command, err := box.start(os.Stderr)
	if err != nil {
		return err
	}
	return command.Wait()
}
