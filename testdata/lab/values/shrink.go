// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
	"strings"
)

// shrink drops lines, then characters, from a text for as long as it is still read differently.
// Each round asks perch for all single steps at once.
func (s suite) shrink(perch, text string) string {
	for _, pieces := range []func(string) []string{
		func(t string) []string { return strings.SplitAfter(t, "\n") },
		func(t string) []string { return strings.Split(t, "") },
	} {
		for size := len(pieces(text)) / 2; size > 0; size /= 2 {
			text = s.pass(perch, pieces(text), size)
		}
	}
	return text
}

// pass leaves out each run of so many pieces that isn't needed, from the first to the last.
func (s suite) pass(perch string, pieces []string, size int) string {
	for from := 0; from < len(pieces); {
		var tries []string
		for i := from; i < len(pieces); i += size {
			tries = append(tries, strings.Join(slices.Concat(pieces[:i], pieces[min(i+size, len(pieces)):]), ""))
		}
		i := s.firstDiffering(perch, tries)
		if i < 0 {
			break
		}
		from += i * size
		pieces = slices.Concat(pieces[:from], pieces[min(from+size, len(pieces)):])
	}
	return strings.Join(pieces, "")
}

func (s suite) firstDiffering(perch string, texts []string) int {
	theirs, err := s.ask(perch, texts)
	if err != nil {
		fail(err.Error())
	}
	for i, ours := range s.answer(texts) {
		if ours != unsteady && ours != theirs[i] {
			return i
		}
	}
	return -1
}
