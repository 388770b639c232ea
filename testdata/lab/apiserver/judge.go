// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
)

type verdict struct {
	compared, changed, refused, skipped, disagreements int
	excused                                            map[string]int
}

func (v verdict) String() string {
	text := fmt.Sprintf("%d compared (%d of them changed, %d refused for type or syntax), %d disagreements; apart from these %d refused by validation alone",
		v.compared, v.changed, v.refused, v.disagreements, v.skipped)
	for _, why := range sortedKeys(v.excused) {
		text += fmt.Sprintf(", %d %s", v.excused[why], why)
	}
	return text
}

// Where perch means to answer otherwise than the server.
func excuse(a answered, perch perchApply) string {
	switch {
	case a.Refused == nil && strings.Contains(perch.Error, "expected integer of 32 bits"):
		return "integers that the server wraps around and perch refuses"
	case a.Refused != nil && strings.Contains(a.Refused.Text, "field not declared in schema") && len(perch.Warnings) > 0:
		return "unknown fields that server-side apply refuses and perch warns of"
	}
	return ""
}

// What perch-test apply says in one JSON line.
type perchApply struct {
	Template any
	Same     bool
	Warnings []string
	Error    string
}

func judge(perchTest, findings string, all []answered) (verdict, error) {
	v := verdict{excused: map[string]int{}}
	if perchTest == "" {
		for _, a := range all {
			v.count(a)
		}
		return v, nil
	}
	applied, err := applyAll(perchTest, all)
	if err != nil {
		return v, err
	}
	standIn, err := helmStandIn(perchTest, all, applied)
	if err != nil {
		return v, err
	}
	out := reporter{folder: findings, seen: map[string]int{}}
	for i, a := range all {
		v.count(a)
		why := compare(a, applied[i])
		if why != "" && standIn[i] {
			fmt.Fprintf(os.Stderr, "apiserver: Helm's last manifest decides: %s: %s\n", a.name(), why)
			v.excused["where only Helm's last manifest decides"]++
			v.compared--
			continue
		}
		if excused := excuse(a, applied[i]); why != "" && excused != "" {
			v.excused[excused]++
			v.compared--
			continue
		}
		if why != "" {
			v.disagreements++
			if err := out.write(a, applied[i], why); err != nil {
				return v, err
			}
		}
	}
	out.summary()
	return v, nil
}

func (v *verdict) count(a answered) {
	switch {
	case a.Refused != nil && a.Refused.Validation:
		v.skipped++
		return
	case a.Refused != nil:
		v.refused++
	case a.Live == nil || !semanticallySame(a.Live, a.Server):
		v.changed++
	}
	v.compared++
}

// Empty where perch and the server agree.
func compare(a answered, perch perchApply) string {
	switch {
	case a.Refused != nil && a.Refused.Validation:
		return ""
	case a.Refused != nil && perch.Error == "":
		return "the server refuses: " + a.Refused.Text
	case a.Refused != nil:
		return ""
	case perch.Error != "":
		return "perch refuses: " + perch.Error
	}
	if path := difference("", a.comparable(), perch.Template); path != "" {
		return "differ: " + path
	}
	if a.Live == nil {
		return ""
	}
	if took := takenFrom(perch.Warnings); a.By == argo && !slices.Equal(took, a.Conflicts) {
		return fmt.Sprintf("conflicts: server %v, perch %v", a.Conflicts, took)
	}
	if same := semanticallySame(a.Live, a.Server); same != perch.Same {
		return fmt.Sprintf("semantically the same: %v, perch says %v", same, perch.Same)
	}
	return ""
}

// Helm compares with its last manifest, for which perch must take the fields that Helm's manager
// owns. A disagreement comes from that alone if perch agrees once it is given that manifest, as the
// last-applied annotation of a client-side apply, which is the same merge.
func helmStandIn(perchTest string, all []answered, applied []perchApply) (map[int]bool, error) {
	var asked []answered
	var places []int
	for i, a := range all {
		if a.By.helm() && a.Refused == nil && a.Previous != nil && compare(a, applied[i]) != "" {
			told := a
			told.By, told.Live = kubectl, a.Live.copy()
			told.Live.mapAt("metadata", "annotations")[corev1.LastAppliedConfigAnnotation] = string(encode(a.Previous))
			asked, places = append(asked, told), append(places, i)
		}
	}
	answers, err := applyAll(perchTest, asked)
	if err != nil {
		return nil, err
	}
	agreed := map[int]bool{}
	for i, a := range asked {
		agreed[places[i]] = compare(a, answers[i]) == ""
	}
	return agreed, nil
}

func applyAll(perchTest string, all []answered) ([]perchApply, error) {
	return batch[perchApply](perchTest, "apply", all, func(a answered) any {
		return map[string]any{"applier": a.By, "serverMinor": 36, "desired": a.Desired, "live": a.Live}
	})
}

// The addresses of a new Service are the server's choice.
func (a answered) comparable() any {
	if a.Live != nil || a.Server.kind() != "Service" {
		return a.Server.content()
	}
	o := a.Server.copy()
	spec := o.mapAt("spec")
	for _, key := range []string{"clusterIPs", "ipFamilies", "ipFamilyPolicy"} {
		delete(spec, key)
	}
	if spec["clusterIP"] != "None" {
		delete(spec, "clusterIP")
	}
	return o.content()
}

var takenOver = regexp.MustCompile(`^conflict: .* taken over from (.*)$`)

func takenFrom(warnings []string) []string {
	managers := map[string]bool{}
	for _, w := range warnings {
		if m := takenOver.FindStringSubmatch(w); m != nil {
			managers[m[1]] = true
		}
	}
	return sortedKeys(managers)
}

func semanticallySame(a, b object) bool {
	if a.kind() == "Service" {
		return semantically[corev1.ServiceSpec](a, b)
	}
	return semantically[corev1.PodTemplateSpec](unparked(a), unparked(b))
}

// Flagger parks a DaemonSet by a node selector that doesn't count.
func unparked(o object) object {
	if o.kind() != "DaemonSet" {
		return o
	}
	o = o.copy()
	delete(o.mapAt("spec", "template", "spec", "nodeSelector"), "flagger.app/scale-to-zero")
	return o
}

func semantically[T any](a, b object) bool {
	var x, y T
	if json.Unmarshal(encode(a.content()), &x) != nil || json.Unmarshal(encode(b.content()), &y) != nil {
		panic("the server's own answer doesn't decode")
	}
	return equality.Semantic.DeepEqual(x, y)
}

// The first place where two JSON values differ, with both sides; empty where none does.
func difference(path string, a, b any) string {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			break
		}
		both := map[string]bool{}
		for key := range x {
			both[key] = true
		}
		for key := range y {
			both[key] = true
		}
		for _, key := range sortedKeys(both) {
			left, inA := x[key]
			right, inB := y[key]
			if inA != inB {
				return fmt.Sprintf("%s.%s: server %s, perch %s", path, key, show(left, inA), show(right, inB))
			}
			if d := difference(path+"."+key, left, right); d != "" {
				return d
			}
		}
		return ""
	case []any:
		y, ok := b.([]any)
		if !ok {
			break
		}
		for i := range min(len(x), len(y)) {
			if d := difference(fmt.Sprintf("%s[%d]", path, i), x[i], y[i]); d != "" {
				return d
			}
		}
		if len(x) != len(y) {
			return fmt.Sprintf("%s: server %s, perch %s", path, show(a, true), show(b, true))
		}
		return ""
	}
	if reflect.DeepEqual(a, b) {
		return ""
	}
	return fmt.Sprintf("%s: server %s, perch %s", path, show(a, true), show(b, true))
}

func show(v any, there bool) string {
	if !there {
		return "absent"
	}
	return clip(string(encode(v)))
}

func clip(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

// One run of a perch-test command over all questions.
func batch[T any](perchTest, command string, all []answered, line func(answered) any) ([]T, error) {
	var in bytes.Buffer
	for _, a := range all {
		in.Write(encode(line(a)))
		in.WriteByte('\n')
	}
	cmd := exec.Command(perchTest, command, "-")
	cmd.Stdin = &in
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	results, lineErr := jsonLines[T](bufio.NewReader(bytes.NewReader(out)))
	if lineErr != nil {
		return nil, fmt.Errorf("perch-test %s: %w", command, lineErr)
	}
	if len(results) != len(all) {
		return nil, fmt.Errorf("perch-test %s: %d answers to %d questions (%v); stopped at %s", command, len(results), len(all), err, last(all, len(results)))
	}
	return results, err
}

func last(all []answered, n int) string {
	if n < len(all) {
		return all[n].name()
	}
	return "the end"
}

func jsonLines[T any](in *bufio.Reader) ([]T, error) {
	var all []T
	for {
		line, err := in.ReadBytes('\n')
		if len(line) > 0 {
			var v T
			d := json.NewDecoder(bytes.NewReader(line))
			d.UseNumber()
			if err := d.Decode(&v); err != nil {
				return nil, fmt.Errorf("line %d: %w: %s", len(all)+1, err, clip(string(line)))
			}
			all = append(all, v)
		}
		if err != nil {
			return all, nil
		}
	}
}

// Writes a few findings of each sort.
type reporter struct {
	folder string
	seen   map[string]int
	total  int
}

var indexes = regexp.MustCompile(`\[\d+\]|"[^"]*"|\d+`)

func sort1(a answered, why string) string {
	kind := why
	if head, _, ok := strings.Cut(why, ": server "); ok {
		kind = head
	}
	by := "merge"
	if a.By.serverSide() {
		by = "server-side"
	} else if a.By == replacing {
		by = "replace"
	} else if a.By.helm() {
		by = "helm"
	}
	return by + " " + indexes.ReplaceAllString(kind, "_")
}

func (r *reporter) write(a answered, perch perchApply, why string) error {
	sort := sort1(a, why)
	r.seen[sort]++
	if r.folder == "" || r.seen[sort] > 2 {
		return nil
	}
	r.total++
	var server any = a.Server.content()
	if a.Refused != nil {
		server = a.Refused.Text
	}
	var result any = perch
	if perch.Error == "" {
		result = perch.Template
	}
	text, err := json.MarshalIndent(map[string]any{
		"why": a.name() + ": " + why, "applier": a.By, "desired": a.Desired, "live": a.Live, "server": server, "perch": result,
	}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.folder, fmt.Sprintf("%03d-%s.json", r.total, slug(applier(a.name())))), text, 0o644)
}

func (r *reporter) summary() {
	for _, sort := range sortedKeys(r.seen) {
		fmt.Fprintf(os.Stderr, "%5d  %s\n", r.seen[sort], sort)
	}
}

var unslug = regexp.MustCompile(`[^a-z0-9]+`)

func slug(a applier) string {
	return strings.Trim(unslug.ReplaceAllString(strings.ToLower(string(a)), "-"), "-")
}
