// SPDX-License-Identifier: Apache-2.0

// peer-hash FILE N: decodes the Deployment in FILE N times and hashes it N times, then prints
// nanoseconds per operation: "decode NS", "hash NS", "both NS" and "value HASH", one a line.
package main

import (
	"fmt"
	"math"
	"os"
	"strconv"
	"time"

	"perch.dev/lab/peers"
)

func main() {
	if len(os.Args) != 3 {
		fail("usage: peer-hash FILE N")
	}
	text, err := os.ReadFile(os.Args[1])
	if err != nil {
		fail(err.Error())
	}
	n, err := strconv.Atoi(os.Args[2])
	if err != nil || n < 1 {
		fail("not a count: " + os.Args[2])
	}
	d, err := peers.Deployment(text)
	if err != nil {
		fail(err.Error())
	}
	var value string
	decode := perOp(n, func() { d, _ = peers.Deployment(text) })
	hash := perOp(n, func() { value = peers.ComputeHash(d.Spec.Template) })
	fmt.Printf("decode %d\nhash %d\nboth %d\nvalue %s\n", decode, hash, decode+hash, value)
}

// perOp is the best of twenty rounds, each long enough to pay for its garbage, as perch's side
// takes its best round: on a busy machine both are then measured undisturbed.
func perOp(n int, op func()) int64 {
	const rounds = 20
	best := int64(math.MaxInt64)
	for range rounds {
		start := time.Now()
		for range n/rounds + 1 {
			op()
		}
		best = min(best, time.Since(start).Nanoseconds()/int64(n/rounds+1))
	}
	return best
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(2)
}
