// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
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

// readQuantities gives for each text what the server would write back, the same after the rounding
// of limits and requests, and whether it is as much as the last good one before.
func readQuantities(texts []string) []string {
	answers := make([]string, len(texts))
	var last resource.Quantity
	for i, t := range texts {
		q, err := resource.ParseQuantity(strings.TrimSpace(t))
		if err != nil {
			answers[i] = "ERR"
			continue
		}
		same := "differs"
		if q.Cmp(last) == 0 {
			same = "same"
		}
		last = q.DeepCopy()
		rounded := q.DeepCopy()
		rounded.RoundUp(resource.Milli)
		answers[i] = fmt.Sprintf("%s %s %s", written(q), written(rounded), same)
	}
	return answers
}

func written(q resource.Quantity) string {
	b, err := q.MarshalJSON()
	if err != nil {
		return err.Error()
	}
	return strings.Trim(string(b), `"`)
}

// askQuantities asks for each text and for its comparison with the last good one.
func askQuantities(perch string, texts []string) ([]string, error) {
	answers, err := ask(perch, []string{"quantity"}, texts, "\n", len(texts))
	if err != nil {
		return nil, err
	}
	last := "0"
	var pairs []string
	for i, t := range texts {
		if answers[i] != "ERR" {
			pairs = append(pairs, t+"|"+last)
			last = t
		}
	}
	compared, err := ask(perch, []string{"quantity"}, pairs, "\n", len(pairs))
	if err != nil {
		return nil, err
	}
	for i := range answers {
		if answers[i] != "ERR" {
			answers[i] += " " + compared[0]
			compared = compared[1:]
		}
	}
	return answers, nil
}
