// SPDX-License-Identifier: Apache-2.0

// Command schema merges the types of every k8s.io/api minor (as types prints them) into
// one table with since and until, adds what server-side apply knows about lists and maps, and
// writes it as the X-macro rows of src/k8s/schema.def.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// Field and Type are what types prints.
type Field struct {
	Name, JSON, Type             string
	OmitEmpty                    bool
	PatchStrategy, PatchMergeKey string
}

type Type struct {
	Name, Pkg, Kind, Elem, Key string
	Fields                     []Field
}

// Minor is one k8s.io/api minor and the release it was read from.
type Minor struct {
	Number  int
	Version string
}

func main() {
	minorsFile := flag.String("minors", "", "the list of minors")
	typesDir := flag.String("types", "", "folder of 0.MINOR.json")
	factsFile := flag.String("facts", "", "applyconfigurations/internal/internal.go of client-go")
	flag.Parse()

	table := newTable()
	for _, m := range readMinors(*minorsFile) {
		var types []Type
		text, err := os.ReadFile(filepath.Join(*typesDir, fmt.Sprintf("0.%d.json", m.Number)))
		check(err)
		check(json.Unmarshal(text, &types))
		table.add(m, types)
	}
	table.learn(readFacts(*factsFile))
	out := bufio.NewWriter(os.Stdout)
	write(out, table)
	check(out.Flush())
}

func readMinors(name string) (minors []Minor) {
	f, err := os.Open(name)
	check(err)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var m Minor
		_, err := fmt.Sscanf(lines.Text(), "0.%d %s", &m.Number, &m.Version)
		check(err)
		minors = append(minors, m)
	}
	return minors
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "schema:", err)
		os.Exit(1)
	}
}
