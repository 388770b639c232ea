// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A document under construction.
type document struct {
	*rand.Rand
	strings.Builder
	budget  int
	anchors []string // names given so far; those of maps come first in maps
	maps    []string
	plain   bool // scalars are mostly ordinary, so that structure is what is tested
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func makeYAML(seed, index uint64) string {
	r := rand.New(rand.NewPCG(seed, index))
	if r.IntN(6) == 0 {
		return oneScalar(r)
	}
	var text strings.Builder
	n := pick(r, 1, 1, 1, 1, 1, 2, 3)
	for i := range n {
		d := &document{Rand: r, budget: 1 + r.IntN(40), plain: r.IntN(3) == 0}
		if i > 0 || r.IntN(5) == 0 {
			d.WriteString("---" + pick(r, "\n", "\n", "\n", " # next\n", "\n# c\n"))
		}
		d.block(0)
		text.WriteString(d.String())
	}
	return dress(r, text.String())
}

// oneScalar is the smallest document that shows how a scalar is read, as value and as key.
func oneScalar(r *rand.Rand) string {
	d := &document{Rand: r}
	s := d.oddScalar()
	return pick(r, "a: "+s+"\n", "- "+s+"\n", s+": 1\n", s, "{"+inFlow(s, "k")+": "+d.flowScalar()+"}", "["+inFlow(s, "k")+", "+d.flowScalar()+"]\n", "a: "+s, "? "+s+"\n: "+d.oddScalar()+"\n")
}

// dress changes what should not matter.
func dress(r *rand.Rand, text string) string {
	if r.IntN(10) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if r.IntN(10) == 0 {
		text = strings.TrimRight(text, "\r\n")
	}
	if r.IntN(20) == 0 {
		text += pick(r, "...\n", "# end", "\n\n", "  \n", "---\n", "---")
	}
	if r.IntN(30) == 0 {
		text = pick(r, "# head\n", "\n", "  # c\n\n") + text
	}
	if r.IntN(20) == 0 {
		text = "\ufeff" + text
	}
	return text
}

func (d *document) pad(indent int) { d.WriteString(strings.Repeat(" ", indent)) }

func (d *document) comment() {
	switch d.IntN(30) {
	case 0:
		d.WriteString(" # comment: x")
	case 1:
		d.WriteString(" #")
	}
	d.WriteByte('\n')
	if d.IntN(40) == 0 {
		d.WriteString(pick(d.Rand, "\n", "# whole line\n", "      # indented\n"))
	}
}

// block writes a map or a list whose lines begin at an indent.
func (d *document) block(indent int) {
	if d.IntN(3) == 0 {
		d.blockList(indent)
		return
	}
	n := 1 + d.IntN(5)
	for range n {
		d.pad(indent)
		if d.merge(indent) {
			continue
		}
		if d.IntN(25) == 0 {
			d.WriteString("? " + d.key())
			d.comment()
			d.pad(indent)
		} else {
			d.WriteString(d.key() + pick(d.Rand, "", "", "", "", " "))
		}
		d.WriteByte(':')
		d.node(indent, true)
	}
}

func (d *document) blockList(indent int) {
	n := 1 + d.IntN(4)
	for range n {
		d.pad(indent)
		d.WriteByte('-')
		d.node(indent, false)
	}
}

func (d *document) merge(indent int) bool {
	if d.IntN(15) > 0 || len(d.maps) == 0 {
		return false
	}
	alias := "*" + pick(d.Rand, d.maps...)
	switch d.IntN(8) {
	case 0:
		alias = "[" + alias + ", *" + pick(d.Rand, d.maps...) + "]"
	case 1:
		alias = "{a: merged, z: " + d.flowScalar() + "}"
	case 2:
		alias = "[" + alias + ", {name: inline}]"
	case 3:
		alias = pick(d.Rand, "5", "*"+pick(d.Rand, d.anchors...), "[]", "~", "[[a]]")
	}
	fmt.Fprintf(d, "%s: %s", pick(d.Rand, "<<", "<<", "<<", "<<", "\"<<\"", "!!merge <<"), alias)
	d.comment()
	return true
}

// node writes what follows "key:" or "-", from the blank on.
func (d *document) node(indent int, inMap bool) {
	d.budget--
	choice := d.IntN(20)
	if d.budget < 0 || indent > 16 {
		choice = 19
	}
	switch {
	case choice < 6:
		d.WriteString(d.anchor(true))
		d.comment()
		d.block(indent + pick(d.Rand, 1, 2, 2, 2, 4))
	case choice < 8 && inMap:
		d.comment()
		d.blockList(indent + pick(d.Rand, 0, 0, 2)) // lists may stand under their key without indent
	case choice < 10:
		d.WriteString(" " + d.flow(3))
		d.comment()
	case choice < 12:
		d.WriteString(" " + d.blockScalar(indent))
	case choice < 13 && len(d.anchors) > 0:
		d.WriteString(" *" + pick(d.Rand, d.anchors...))
		d.comment()
	case choice < 14:
		d.WriteString(" " + d.manyLines(indent))
		d.comment()
	case choice < 15 && !inMap:
		d.compact(indent)
	default:
		d.WriteString(" " + d.tag() + d.scalar())
		d.comment()
	}
}

// compact is a map that begins on the dash's line.
func (d *document) compact(indent int) {
	d.WriteString(" " + d.key() + ": " + d.scalar())
	d.comment()
	for range d.IntN(3) {
		d.pad(indent + 2)
		d.WriteString(d.key() + ":")
		d.node(indent+2, true)
	}
}

func (d *document) anchor(isMap bool) string {
	if d.IntN(6) > 0 {
		return ""
	}
	name := pick(d.Rand, "a", "b", "base", "x-1", "x_2")
	d.anchors = append(d.anchors, name)
	if isMap {
		d.maps = append(d.maps, name)
	}
	return " &" + name
}

func (d *document) tag() string {
	anchor := strings.TrimPrefix(d.anchor(false), " ")
	if anchor != "" {
		anchor += " "
	}
	if d.plain || d.IntN(12) > 0 {
		return anchor
	}
	return anchor + pick(d.Rand, "!!str ", "!!int ", "!!float ", "!!bool ", "!!null ", "!!binary ", "!!timestamp ", "!local ", "! ", "!<tag:yaml.org,2002:str> ", "!!map ", "!!seq ", "!!set ")
}

func (d *document) flow(depth int) string {
	if depth == 0 || d.IntN(3) == 0 {
		return d.flowScalar()
	}
	var parts []string
	n := d.IntN(4)
	isMap := d.IntN(2) == 0
	for range n {
		switch {
		case !isMap && d.IntN(10) == 0:
			parts = append(parts, d.flowKey()+": "+d.flow(depth-1)) // a one-pair map
		case !isMap:
			parts = append(parts, d.flow(depth-1))
		case d.IntN(12) == 0:
			parts = append(parts, pick(d.Rand, d.flowKey(), d.flowKey()+": ", "? "+d.flowKey()+" : "+d.flow(0), `"q":`+d.flow(0)))
		default:
			parts = append(parts, d.flowKey()+": "+d.flow(depth-1))
		}
	}
	inside := strings.Join(parts, pick(d.Rand, ", ", ",", " , "))
	if n > 0 && d.IntN(10) == 0 {
		inside += ","
	}
	if d.IntN(6) == 0 {
		inside = " " + inside + " "
	}
	if isMap {
		return "{" + inside + "}"
	}
	return "[" + inside + "]"
}

func (d *document) flowScalar() string { return inFlow(d.scalar(), `"flow"`) }

func (d *document) flowKey() string { return inFlow(d.key(), "k") }

// inFlow gives a scalar if it can stand between brackets. One that ends in a colon is left out:
// libyaml refuses `[a:]`, go-yaml reads it as "a:".
func inFlow(s, otherwise string) string {
	switch {
	case s == "":
		return s
	case s[0] == '"' || s[0] == '\'':
		if len(s) > 1 && s[len(s)-1] == s[0] {
			return s
		}
		return otherwise
	case strings.ContainsAny(s, "{}[],"), strings.HasSuffix(s, ":"), s[0] == '!' && !strings.Contains(s, " "):
		return otherwise
	}
	return s
}
