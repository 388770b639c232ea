// SPDX-License-Identifier: Apache-2.0

// values is the oracle of src/value: it makes random YAML documents or quantities, reads them with
// the code that Kubernetes reads them with, lets perch-test read the same, and compares.
//
//	values [-n N] [-seed S] [-perch CMD] [-findings DIR] yaml|quantity
//	values -show yaml|quantity <TEXT     what Go makes of one text
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A suite is one kind of text: how to make one, and what the real code says to it.
type suite struct {
	make   func(seed, index uint64) string
	answer func(texts []string) []string
	ask    func(perch string, texts []string) ([]string, error)
}

var suites = map[string]suite{
	"yaml":     {makeYAML, readYAMLs, askYAML},
	"quantity": {makeQuantity, readQuantities, askQuantities},
}

func main() {
	n := flag.Int("n", 20000, "how many texts")
	seed := flag.Uint64("seed", 1, "the same seed gives the same texts")
	perch := flag.String("perch", "perch-test", "the perch-test to ask")
	findings := flag.String("findings", "", "folder for the texts that are read differently")
	show := flag.Bool("show", false, "print what Go makes of standard input")
	flag.Parse()
	s, ok := suites[flag.Arg(0)]
	if !ok {
		fail("usage: values [flags] yaml|quantity")
	}
	if *show {
		text, err := io.ReadAll(os.Stdin)
		if err != nil {
			fail(err.Error())
		}
		fmt.Println(s.answer([]string{string(text)})[0])
		return
	}
	texts := make([]string, *n)
	for i := range texts {
		texts[i] = s.make(*seed, uint64(i))
	}
	theirs, err := s.ask(*perch, texts)
	if err != nil {
		fail(err.Error())
	}
	if !s.compare(flag.Arg(0), texts, theirs, *perch, *findings) {
		os.Exit(1)
	}
}

// ask runs perch-test on texts with a separator between (a last empty one ends the one before) and gives its lines, want of them.
func ask(perch string, command []string, texts []string, separator string, want int) ([]string, error) {
	c := exec.Command(perch, command...)
	c.Stdin = strings.NewReader(strings.Join(texts, separator))
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", perch, command, err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(lines) != want {
		return nil, fmt.Errorf("%s %s: %d lines, not %d", perch, command, len(lines), want)
	}
	return lines, nil
}

func (s suite) compare(name string, texts, theirs []string, perch, findings string) bool {
	ours := s.answer(texts)
	differ, refused, unstable := 0, 0, 0
	for i := range texts {
		switch {
		case ours[i] == unsteady:
			unstable++
		case ours[i] == theirs[i]:
			if strings.Contains(ours[i], "ERR") {
				refused++
			}
		default:
			differ++
			if differ <= 40 {
				small := s.shrink(perch, texts[i])
				answer, _ := s.ask(perch, []string{small})
				report(findings, fmt.Sprintf("%s-%d", name, i), small, s.answer([]string{small})[0], answer[0])
			}
		}
	}
	fmt.Printf("%d %s texts (%d with a refusal by both, %d left out because Go's answer is random): %d differences\n",
		len(texts), name, refused, unstable, differ)
	return differ == 0
}

func report(folder, name, text, ours, theirs string) {
	fmt.Printf("%s: %q\n  go    %s\n  perch %s\n", name, text, ours, theirs)
	if folder == "" {
		return
	}
	for suffix, content := range map[string]string{"text": text, "go": ours, "perch": theirs} {
		if err := os.WriteFile(filepath.Join(folder, name+"."+suffix), []byte(content), 0o644); err != nil {
			fail(err.Error())
		}
	}
}

func fail(text string) {
	fmt.Fprintln(os.Stderr, text)
	os.Exit(2)
}
