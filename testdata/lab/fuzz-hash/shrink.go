// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
)

// shrink takes the line on which Go and perch disagree and drops whatever it can from it. Every
// round tries all single steps at once, each a line, and keeps the shortest that still disagrees.
func shrink(out *bufio.Writer, in io.Reader, minor, perch string) error {
	line, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	best := bytes.TrimSpace(line)
	for {
		next, err := shortest(best, minor, perch)
		if err != nil {
			return err
		}
		if next == nil {
			out.Write(append(best, '\n'))
			return nil
		}
		best = next
	}
}

func shortest(line []byte, minor, perch string) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var root map[string]any
	if err := d.Decode(&root); err != nil {
		return nil, nil // not even JSON: nothing to drop
	}
	var tries [][]byte
	add := func() { tries = append(tries, encode(root)) }
	steps(root["spec"], func(v any) { root["spec"] = v }, add)
	if c := encode(root); len(c) < len(line) {
		tries = append(tries, c)
	}
	slices.SortStableFunc(tries, func(a, b []byte) int { return len(a) - len(b) })
	theirs, err := ask(perch, minor, tries)
	if err != nil {
		return nil, err
	}
	for i, t := range tries {
		if len(t) < len(line) && hashLine(t, false) != theirs[i] {
			return t, nil
		}
	}
	return nil, nil
}

func encode(root map[string]any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(root)
	return bytes.TrimSpace(b.Bytes())
}

// steps calls try with each smaller value in place, and puts the old one back.
func steps(v any, set func(any), try func()) {
	put := func(smaller any) {
		set(smaller)
		try()
		set(v)
	}
	switch v := v.(type) {
	case map[string]any:
		keys := make([]string, 0, len(v))
		for k := range v {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			old := v[k]
			delete(v, k)
			try()
			v[k] = old
			steps(old, func(x any) { v[k] = x }, try)
		}
	case []any:
		for i := range v {
			put(slices.Delete(slices.Clone(v), i, i+1))
			steps(v[i], func(x any) { v[i] = x }, try)
		}
	case string:
		runes := []rune(v)
		if half := len(runes) / 2; half > 0 {
			put(string(runes[:half]))
			put(string(runes[half:]))
			put(string(runes[1:]))
			put(string(runes[:len(runes)-1]))
		}
	}
}

// ask gives perch's answer for each line.
func ask(perch, minor string, lines [][]byte) ([]string, error) {
	c := exec.Command(perch, "hash_lines", minor)
	c.Stdin = strings.NewReader(string(bytes.Join(lines, []byte("\n"))) + "\n")
	answer, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s hash_lines %s: %w", perch, minor, err)
	}
	answers := strings.Split(strings.TrimSuffix(string(answer), "\n"), "\n")
	if len(answers) != len(lines) {
		return nil, fmt.Errorf("%s hash_lines %s: %d answers to %d lines", perch, minor, len(answers), len(lines))
	}
	return answers, nil
}
