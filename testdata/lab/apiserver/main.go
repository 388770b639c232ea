// SPDX-License-Identifier: Apache-2.0

// The API server oracle: what a real kube-apiserver answers to dry-runs of every applier, against
// what perch computes without it. Asking and judging are apart, so that answers can be kept.
package main

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"
)

type options struct {
	kubeconfig, perchTest, findings, cases, keep, from string
	count, asks                                        int
	seed                                               int64
}

func main() {
	var o options
	flag.StringVar(&o.kubeconfig, "kubeconfig", os.Getenv("KUBECONFIG"), "the lab's kubeconfig")
	flag.StringVar(&o.perchTest, "perch-test", "", "the perch-test binary; without it the server is only asked")
	flag.StringVar(&o.findings, "findings", "", "folder for disagreements, a few files of each sort")
	flag.StringVar(&o.cases, "record", "", "testdata/apply: write the recorded cases there")
	flag.StringVar(&o.keep, "keep", "", "file to keep the server's answers in")
	flag.StringVar(&o.from, "from", "", "file of kept answers to judge by, instead of asking a server")
	flag.IntVar(&o.count, "n", 300, "generated objects besides the hand-made rows")
	flag.IntVar(&o.asks, "asks", 8, "questions about each generated object")
	flag.Int64Var(&o.seed, "seed", 1, "seed of the generated objects")
	flag.Parse()
	if err := run(o); err != nil {
		fmt.Fprintln(os.Stderr, "apiserver:", err)
		os.Exit(1)
	}
}

func run(o options) error {
	all, err := answersFor(o)
	if err != nil {
		return err
	}
	if o.keep != "" {
		if err := keepAnswers(o.keep, all); err != nil {
			return err
		}
	}
	if o.cases != "" {
		return record(o.cases, o.perchTest, all)
	}
	result, err := judge(o.perchTest, o.findings, all)
	if err != nil {
		return err
	}
	objects := map[string]bool{}
	for _, a := range all {
		objects[a.Story] = true
	}
	fmt.Printf("%d objects, %d dry-runs, %s\n", len(objects), len(all), result)
	if result.disagreements > 0 {
		return errors.New("perch and the API server disagree")
	}
	return nil
}

func answersFor(o options) ([]answered, error) {
	if o.from != "" {
		return keptAnswers(o.from)
	}
	s, err := connect(o.kubeconfig)
	if err != nil {
		return nil, err
	}
	rows, err := readRows()
	if err != nil {
		return nil, err
	}
	started := time.Now()
	var makers []func() (story, bool)
	for _, r := range rows {
		for _, t := range r.stories() {
			makers = append(makers, func() (story, bool) { return t, true })
		}
	}
	for i := range o.count {
		makers = append(makers, func() (story, bool) { return s.randomStory(o.seed, i, o.asks) })
	}
	all := s.tellAll(makers)
	fmt.Fprintf(os.Stderr, "apiserver: asked for %.0f s\n", time.Since(started).Seconds())
	return all, nil
}

func keepAnswers(path string, all []answered) error {
	var out bytes.Buffer
	for _, a := range all {
		out.Write(encode(a))
		out.WriteByte('\n')
	}
	return os.WriteFile(path, out.Bytes(), 0o644)
}

func keptAnswers(path string) ([]answered, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return jsonLines[answered](bufio.NewReader(f))
}
