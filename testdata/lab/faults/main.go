// SPDX-License-Identifier: Apache-2.0

// Command faults stands between perch and a real API server: it kills or ends perch at any request, answers
// in the server's stead, and looks at what is left and at what was said.
package main

import (
	"fmt"
	"os"
	"strconv"
)

const usage = "usage: faults PERCH killed|ended|recovered|refused|secrets..."

func main() {
	if len(os.Args) < 3 {
		fatal(usage)
	}
	l := newLab(os.Args[1])
	suites := map[string]func(){"killed": l.killed, "ended": l.ended, "recovered": l.recovered, "refused": l.refused, "secrets": l.secrets}
	for _, name := range os.Args[2:] {
		if suites[name] == nil {
			fatal(usage)
		}
		suites[name]()
	}
	os.RemoveAll(l.scratch)
	fmt.Printf("%d passed, %d failed\n", l.passed, l.failed)
	if l.failed > 0 {
		os.Exit(1)
	}
}

func decimal(n int) string { return strconv.Itoa(n) }

func fatal(text string) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(1)
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
