// SPDX-License-Identifier: Apache-2.0

// Command minor is the oracle of one k8s.io/api minor: it prints the types that Flagger's hash
// covers, and hashes objects exactly as a Flagger built with that minor does. build.sh builds it
// once per minor from this one source.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	if len(os.Args) < 2 {
		usage()
	}
	switch os.Args[1] {
	case "types":
		enc := json.NewEncoder(out)
		enc.SetIndent("", " ")
		if err := enc.Encode(walkRoots()); err != nil {
			fatal(err)
		}
	case "hash", "dump":
		files := os.Args[2:]
		if len(files) == 0 {
			lines(out, os.Args[1] == "dump")
			return
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				fatal(err)
			}
			answer(out, text, os.Args[1] == "dump")
		}
	default:
		usage()
	}
}

// lines answers one line per JSON object on standard input.
func lines(out *bufio.Writer, dump bool) {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		text, err := in.ReadBytes('\n')
		if len(text) > 1 {
			answer(out, text, dump)
		}
		if err != nil {
			return
		}
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: minor types | minor hash|dump [FILE…]   (without files: one JSON object per line)")
	os.Exit(2)
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "minor:", err)
	os.Exit(2)
}
