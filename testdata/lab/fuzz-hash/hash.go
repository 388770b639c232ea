// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"hash/fnv"
	"io"

	"github.com/davecgh/go-spew/spew"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	kjson "sigs.k8s.io/json"
)

// The settings of Flagger's ComputeHash.
var printer = spew.ConfigState{Indent: " ", SortKeys: true, DisableMethods: true, SpewKeys: true}

// hashOf is Flagger's hash of what it hashes.
func hashOf(spec any) string {
	hasher := fnv.New32a()
	printer.Fprintf(hasher, "%#v", spec)
	return rand.SafeEncodeString(fmt.Sprint(hasher.Sum32()))
}

var kinds = []struct{ prefix, kind string }{
	{`{"apiVersion":"apps/v1","kind":"Deployment",`, "Deployment"},
	{`{"apiVersion":"apps/v1","kind":"DaemonSet",`, "DaemonSet"},
	{`{"apiVersion":"v1","kind":"Service",`, "Service"},
}

func kindOf(line []byte) (string, error) {
	for _, k := range kinds {
		if bytes.HasPrefix(line, []byte(k.prefix)) {
			return k.kind, nil
		}
	}
	var head struct {
		Kind string `json:"kind"`
	}
	err := kjson.UnmarshalCaseSensitivePreserveInts(line, &head)
	return head.Kind, err
}

// hashed decodes an object as client-go does and gives the part that Flagger hashes.
func hashed(line []byte) (any, error) {
	kind, err := kindOf(line)
	if err != nil {
		return nil, err
	}
	switch kind {
	case "Deployment":
		var d appsv1.Deployment
		err = kjson.UnmarshalCaseSensitivePreserveInts(line, &d)
		return d.Spec.Template, err
	case "DaemonSet":
		var d appsv1.DaemonSet
		err = kjson.UnmarshalCaseSensitivePreserveInts(line, &d)
		pod := &d.Spec.Template.Spec
		delete(pod.NodeSelector, "flagger.app/scale-to-zero")
		if pod.NodeSelector == nil {
			pod.NodeSelector = map[string]string{}
		}
		return d.Spec.Template, err
	case "Service":
		var s corev1.Service
		err = kjson.UnmarshalCaseSensitivePreserveInts(line, &s)
		return s.Spec, err
	}
	return nil, fmt.Errorf("unknown kind %q", kind)
}

func hashLine(line []byte, dump bool) string {
	spec, err := hashed(line)
	switch {
	case err != nil && dump:
		return "ERR " + err.Error()
	case err != nil:
		return "ERR"
	case dump:
		return printer.Sprintf("%#v", spec)
	}
	return hashOf(spec)
}

func hashLines(out *bufio.Writer, in io.Reader, dump bool) error {
	r := bufio.NewReaderSize(in, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if line = bytes.TrimSuffix(line, []byte("\n")); len(line) > 0 {
			out.WriteString(hashLine(line, dump))
			out.WriteByte('\n')
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
