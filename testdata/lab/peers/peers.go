// SPDX-License-Identifier: Apache-2.0

// Package peers is what perch is measured against: the same work as Flagger 1.38's own code does
// it, typed structs of k8s.io/api 0.30 and go-spew.
package peers

import (
	"fmt"
	"hash/fnv"
	"os"
	"strings"

	"github.com/davecgh/go-spew/spew"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/rand"
	kjson "sigs.k8s.io/json"
)

// ComputeHash is Flagger's.
func ComputeHash(spec any) string {
	hasher := fnv.New32a()
	printer := spew.ConfigState{Indent: " ", SortKeys: true, DisableMethods: true, SpewKeys: true}
	printer.Fprintf(hasher, "%#v", spec)
	return rand.SafeEncodeString(fmt.Sprint(hasher.Sum32()))
}

// Deployment decodes as client-go does.
func Deployment(text []byte) (*appsv1.Deployment, error) {
	d := &appsv1.Deployment{}
	return d, kjson.UnmarshalCaseSensitivePreserveInts(text, d)
}

// PeakMemory is the most this process ever held, in MB.
func PeakMemory() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	var kB float64
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			fmt.Sscan(rest, &kB)
		}
	}
	return kB / 1024
}
