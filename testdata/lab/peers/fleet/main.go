// SPDX-License-Identifier: Apache-2.0

// fleet [-seed S] N: a dump of a cluster with N canaries that settled under Flagger 1.37, as
// `perch dump` writes it: one List with a ClusterInfo, Flagger's own Deployment, the Canaries, and
// the target and primary Deployment of each, with managedFields, indented. The stored hashes are
// those that Flagger 1.37 (k8s.io/api 0.27) computes; one canary in 20 has a change that is not
// promoted yet. The same seed and N give the same bytes.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strconv"
)

func main() {
	seed := flag.Uint64("seed", 1, "")
	flag.Parse()
	n, err := strconv.Atoi(flag.Arg(0))
	if err != nil || n < 0 {
		fmt.Fprintln(os.Stderr, "usage: fleet [-seed S] N")
		os.Exit(2)
	}
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	defer out.Flush()
	l := list{out: out}
	out.WriteString("{\n    \"apiVersion\": \"v1\",\n    \"items\": [")
	l.add(object{"apiVersion": "perch.dev/v1", "kind": "ClusterInfo", "serverVersion": "1.36", "lists": []any{"Canary", "Deployment"}})
	for i := range n {
		l.add(newApp(*seed, i).canary())
	}
	l.add(flagger())
	for i := range n {
		a := newApp(*seed, i)
		l.add(a.target())
		l.add(a.primary())
	}
	out.WriteString("\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n")
}

// A list writes its items as kubectl indents them.
type list struct {
	out   *bufio.Writer
	items int
}

func (l *list) add(o object) {
	text, err := json.MarshalIndent(o, "        ", "    ")
	if err != nil {
		panic(err)
	}
	if l.items++; l.items > 1 {
		l.out.WriteByte(',')
	}
	l.out.WriteString("\n        ")
	l.out.Write(text)
}
