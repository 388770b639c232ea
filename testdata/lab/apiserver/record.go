// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed recorded.txt
var recordedText string

// Writes the answers that recorded.txt names as cases of testdata/apply: what the server said is
// the expected output, what perch says besides (warnings, refusals) is taken from perch.
func record(folder, perchTest string, all []answered) error {
	old, err := filepath.Glob(filepath.Join(folder, "server-*"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(recordedText), "\n") {
		words := strings.Fields(line)
		question := "now"
		if words[0] == "again" {
			question, words = "again", words[1:]
		}
		by := applier(words[1])
		name := words[0] + "-" + slug(by)
		found := false
		for _, a := range all {
			if a.Story == name && a.Ask == question && a.By == by {
				found = true
				if err := recordCase(filepath.Join(folder, "server-"+name), perchTest, a); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
		if !found {
			return fmt.Errorf("recorded.txt: no row answers to '%s'", line)
		}
	}
	return nil
}

func recordCase(folder, perchTest string, a answered) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	files := map[string]string{
		"cmd":          fmt.Sprintf("perch-test apply %s 36 desired.json live.json\n", a.By),
		"desired.json": indented(a.Desired),
		"live.json":    indented(timeless(a.Live)),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(perchTest, "apply", string(a.By), "36", "desired.json", "live.json")
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &stdout, &stderr
	runErr := cmd.Run()
	if (runErr != nil) != (a.Refused != nil) {
		return fmt.Errorf("perch: %v %s, the server: %v", runErr, stderr.String(), a.Refused)
	}
	expected := map[string]string{"stdout": "", "stderr": stderr.String(), "exit": ""}
	if a.Refused != nil {
		expected["exit"] = fmt.Sprintln(cmd.ProcessState.ExitCode())
	} else {
		expected["stdout"] = canonical(a.Server.content()) + "\n"
	}
	for name, text := range expected {
		if text == "" && name != "stdout" {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// The same at each recording: times, identity and versions say nothing.
func timeless(live object) object {
	o := live.copy()
	meta := o.mapAt("metadata")
	for _, key := range []string{"uid", "resourceVersion", "creationTimestamp", "generation"} {
		delete(meta, key)
	}
	entries, _ := meta["managedFields"].([]any)
	for _, e := range entries {
		delete(e.(map[string]any), "time")
	}
	delete(o, "status")
	return o
}

func indented(v any) string { return written(v, "  ") + "\n" }

func canonical(v any) string { return written(v, "") }

func written(v any, indent string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
