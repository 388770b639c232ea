// SPDX-License-Identifier: Apache-2.0

// fuzz-hash is the Go side of the hash oracle. It is built once per k8s.io/api minor (run.sh), so
// the types, the quantities and the decoder are that minor's own.
//
//	fuzz-hash gen -n N [-seed S]         random objects, one JSON line each
//	fuzz-hash hash [-dump] <LINES        Flagger's hash (or the dump) of each line, ERR where Go refuses it
//	fuzz-hash shrink -minor M -perch CMD <LINE   the smallest object on which the two still disagree
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fail("usage: fuzz-hash gen|hash|shrink [flags]")
	}
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	var err error
	switch os.Args[1] {
	case "gen":
		n := flags.Int("n", 1000, "how many objects")
		seed := flags.Uint64("seed", 1, "the same seed gives the same objects")
		flags.Parse(os.Args[2:])
		generate(out, *n, *seed)
	case "hash":
		dump := flags.Bool("dump", false, "print what is hashed instead")
		flags.Parse(os.Args[2:])
		err = hashLines(out, os.Stdin, *dump)
	case "shrink":
		minor := flags.String("minor", "", "the minor this was built with, as perch-test spells it")
		perch := flags.String("perch", "perch-test", "the perch-test to ask")
		flags.Parse(os.Args[2:])
		err = shrink(out, os.Stdin, *minor, *perch)
	default:
		fail("unknown verb " + os.Args[1])
	}
	if err == nil {
		err = out.Flush()
	}
	if err != nil {
		fail(err.Error())
	}
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(2)
}
