// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"strings"

	goyaml "go.yaml.in/yaml/v2"
	"k8s.io/apimachinery/pkg/api/resource"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// Where two keys of a map become the same text (1 and "1"), Go keeps either, at random.
const unsteady = "random"

func readYAMLs(texts []string) []string {
	answers := make([]string, len(texts))
	for i, t := range texts {
		answers[i] = readYAML(t)
		for range 4 {
			if readYAML(t) != answers[i] {
				answers[i] = unsteady
				break
			}
		}
	}
	return answers
}

// readYAML splits a text into documents as kubectl does and gives each that isn't null as JSON,
// with tabs between. Go never looks at what follows the end of a document's value (`{a: 1} }`,
// or a line that is indented less than the first); perch must not either take such a text for good.
func readYAML(text string) string {
	r := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	var documents []string
	for {
		part, err := r.Read()
		if err == io.EOF {
			return strings.Join(documents, "\t")
		}
		if err != nil || hasTail(part) {
			return "ERR"
		}
		converted, err := yaml.YAMLToJSON(part)
		if err != nil {
			return "ERR"
		}
		if text := canonical(string(converted)); text != "null" {
			documents = append(documents, text)
		}
	}
}

func hasTail(part []byte) bool {
	d := goyaml.NewDecoder(bytes.NewReader(part))
	var v any
	if err := d.Decode(&v); err != nil {
		return false
	}
	return d.Decode(&v) != io.EOF
}

// canonical writes JSON in one way; numbers keep their text.
func canonical(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "not JSON: " + text
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func askYAML(perch string, texts []string) ([]string, error) {
	lines, err := ask(perch, []string{"yaml", "-0"}, texts, "\x00", len(texts))
	for i, line := range lines {
		if strings.HasPrefix(line, "ERR") {
			lines[i] = "ERR"
			continue
		}
		var documents []string
		for document := range strings.SplitSeq(line, "\t") {
			if text := canonical(document); text != "null" {
				documents = append(documents, text)
			}
		}
		lines[i] = strings.Join(documents, "\t")
	}
	return lines, err
}

// readQuantities gives for each of two quantities what the server would write back and the same
// after the rounding of limits and requests, and whether they are as much.
func readQuantities(texts []string) []string {
	answers := make([]string, len(texts))
	for i, t := range texts {
		a, b, _ := strings.Cut(t, "|")
		left, right := readQuantity(a), readQuantity(b)
		answers[i] = answerQuantity(left) + ", " + answerQuantity(right)
		if left != nil && right != nil {
			answers[i] += map[bool]string{true: ", same", false: ", differs"}[left.Cmp(*right) == 0]
		}
	}
	return answers
}

// readQuantity reads a quantity from JSON, as the server does: blanks around it are fine, escapes aren't.
func readQuantity(text string) *resource.Quantity {
	quoted, err := json.Marshal(text)
	if err != nil {
		return nil
	}
	var q resource.Quantity
	if err := q.UnmarshalJSON(quoted); err != nil {
		return nil
	}
	return &q
}

func answerQuantity(q *resource.Quantity) string {
	if q == nil {
		return "ERR"
	}
	rounded := q.DeepCopy()
	rounded.RoundUp(resource.Milli)
	return written(q.DeepCopy()) + " " + written(rounded)
}

func written(q resource.Quantity) string {
	b, err := q.MarshalJSON()
	if err != nil {
		return err.Error()
	}
	return strings.Trim(string(b), `"`)
}

// askQuantities asks for each text's two sides and, where both are good, for their comparison.
func askQuantities(perch string, texts []string) ([]string, error) {
	var sides, pairs []string
	for _, t := range texts {
		a, b, _ := strings.Cut(t, "|")
		sides = append(sides, a, b)
	}
	alone, err := ask(perch, []string{"quantity"}, append(sides, ""), "\n", len(sides))
	if err != nil {
		return nil, err
	}
	answers := make([]string, len(texts))
	var good []int
	for i, t := range texts {
		answers[i] = alone[2*i] + ", " + alone[2*i+1]
		if alone[2*i] != "ERR" && alone[2*i+1] != "ERR" {
			good = append(good, i)
			pairs = append(pairs, t)
		}
	}
	if len(pairs) == 0 {
		return answers, nil
	}
	compared, err := ask(perch, []string{"quantity"}, append(pairs, ""), "\n", len(pairs))
	if err != nil {
		return nil, err
	}
	for i, at := range good {
		answers[at] += ", " + compared[i]
	}
	return answers, nil
}
