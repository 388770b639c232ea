// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
)

// What a node keeps of a termination message, from its file or from the end of the log.
const (
	maxMessage      = 4096
	maxMessageLog   = 2048
	maxMessageLines = 80
)

// file is one that a scenario reads: NAMESPACE_POD_CONTAINER and a suffix.
func (c *container) file(suffix string) string {
	return filepath.Join(c.p.k.run, "pods", c.p.object.Namespace+"_"+c.p.object.Name+"_"+c.Name+"."+suffix)
}

// log opens the next of NAMESPACE_POD_CONTAINER.N.log, one for each attempt; NAMESPACE_POD_CONTAINER.log is the newest.
func (c *container) log() (*os.File, string, error) {
	for n := 0; ; n++ {
		path := c.file(fmt.Sprintf("%d.log", n))
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o644)
		if os.IsExist(err) {
			continue
		}
		if err == nil {
			newest := c.file("log")
			os.Remove(newest)
			err = os.Symlink(filepath.Base(path), newest)
		}
		return file, path, err
	}
}

// message is the termination message, by the container's policy.
func (c *container) message(box sandbox, log string, code int) string {
	text, _ := os.ReadFile(box.message)
	if len(text) == 0 && code != 0 && c.TerminationMessagePolicy == corev1.TerminationMessageFallbackToLogsOnError {
		text, _ = os.ReadFile(log)
		if len(text) > maxMessageLog {
			text = text[len(text)-maxMessageLog:]
		}
		text = lastLines(text, maxMessageLines)
	}
	if len(text) > maxMessage {
		text = text[:maxMessage]
	}
	return string(text)
}

func lastLines(text []byte, lines int) []byte {
	begin := len(text)
	for ; begin > 0 && lines > 0; lines-- {
		begin = bytes.LastIndexByte(text[:begin-1], '\n') + 1
	}
	return text[begin:]
}
