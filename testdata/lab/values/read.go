// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"

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
// with tabs between.
func readYAML(text string) string {
	r := utilyaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	var documents []string
	for {
		part, err := r.Read()
		if err == io.EOF {
			return strings.Join(documents, "\t")
		}
		if err != nil {
			return "ERR"
		}
		converted, err := yaml.YAMLToJSON(part)
		if err != nil {
			return "ERR"
		}
		if string(converted) != "null" {
			documents = append(documents, string(converted))
		}
	}
}

// sameJSON compares answers as JSON, numbers by their text.
func sameJSON(a, b string) bool {
	as, bs := strings.Split(a, "\t"), strings.Split(b, "\t")
	if len(as) != len(bs) {
		return false
	}
	for i := range as {
		if as[i] != bs[i] && !reflect.DeepEqual(decode(as[i]), decode(bs[i])) {
			return false
		}
	}
	return true
}

// decode gives a JSON text's value; a text that isn't JSON equals only itself.
func decode(text string) any {
	d := json.NewDecoder(bytes.NewReader([]byte(text)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return []string{text}
	}
	return v
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
		answers[i] = fmt.Sprintf("%s\t%s\t%s", written(q), written(rounded), same)
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
