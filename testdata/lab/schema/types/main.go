// SPDX-License-Identifier: Apache-2.0

// Command types prints the Go types of the objects that perch knows, by reflection over the
// k8s.io/api that it was built with. generate.sh builds it once per minor.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", " ")
	if err := enc.Encode(walkRoots()); err != nil {
		fmt.Fprintln(os.Stderr, "types:", err)
		os.Exit(1)
	}
}
