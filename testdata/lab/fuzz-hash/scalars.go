// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// scalar gives a value that Go accepts for a leaf.
func (o *object) scalar(s *shape) string {
	switch s.name {
	case "resource.Quantity":
		return o.quantity()
	case "intstr.IntOrString":
		return o.intOrString()
	case "v1.Time", "v1.FieldsV1":
		return "null" // a time prints the process's time zone; field sets are never in a template
	}
	switch s.kind {
	case reflect.String:
		return o.quoted(o.text())
	case reflect.Bool:
		return pick(o.Rand, "true", "false")
	case reflect.Int32:
		return o.integer(math.MinInt32, math.MaxInt32)
	case reflect.Int64:
		return o.integer(math.MinInt64, math.MaxInt64)
	case reflect.Struct:
		return "{}" // no fields in this minor
	}
	panic("no value for " + s.name + ", a " + s.kind.String())
}

func (o *object) integer(least, most int64) string {
	var n int64
	switch o.IntN(8) {
	case 0:
		n = pick(o.Rand, least, least+1, most-1, most)
	case 1:
		n = int64(o.Uint64()) % (most/2 + 1)
	case 2, 3:
		n = pick(o.Rand, int64(0), 0, 1, -1)
	default:
		n = int64(o.IntN(70000)) - 1000
	}
	text := strconv.FormatInt(n, 10)
	if o.chance(o.odd / 4) {
		text = pick(o.Rand, text+".0", text+"e0", text+"E+0", text+"0e-1", text+".000e0", text+"00E-02", "-0", "0.0", "8e1")
	}
	return text
}

func (o *object) intOrString() string {
	switch o.IntN(8) {
	case 0, 1, 2:
		return strconv.Itoa(o.IntN(65536))
	case 3:
		return pick(o.Rand, "0", "-1", "2147483647", "-2147483648", "-0")
	case 4, 5:
		return o.quoted(pick(o.Rand, "80", "http", "25%", "0", "", "-1", "8e1", "80.0", "2147483648"))
	}
	return o.quoted(o.text())
}

// refused gives a value that Go mostly refuses; where it doesn't, that has to be known too.
func (o *object) refused(s *shape) string {
	wrong := []string{`"x"`, `5`, `true`, `{}`, `[]`, `[null]`, `{"a":null}`, `[1]`, `""`, `1.5`, `-1`, `0`, `1e2`, `"5"`}
	switch {
	case s.name == "resource.Quantity":
		return o.badQuantity()
	case s.name == "intstr.IntOrString":
		wrong = append(wrong, `80.0`, `8e1`, `2147483648`, `-2147483649`, `1e400`, `80.5`)
	case s.kind == reflect.Int32:
		wrong = append(wrong, `2147483648`, `-2147483649`, `2147483648.0`, `2.147483647e9`, `1e10`)
		fallthrough
	case s.kind == reflect.Int64:
		wrong = append(wrong, `9223372036854775808`, `-9223372036854775809`, `9223372036854775807.0`, `9.223372036854775807e18`,
			`9007199254740993.0`, `9007199254740993e0`, `80.5`, `1e400`, `1e-400`, `1e18`, `1e19`, `0.0`, `-0`, `-0.0`, `0e0`, `8e1`, `80e-1`, `5e-1`)
	case s.kind == reflect.Bool:
		wrong = append(wrong, `"true"`, `"yes"`)
	case s.name == "v1.Time" || s.name == "v1.FieldsV1":
		return "null"
	}
	return pick(o.Rand, wrong...)
}

// anything gives JSON for a key that no type knows.
func (o *object) anything(depth int) string {
	switch o.IntN(8) {
	case 0:
		return "null"
	case 1:
		return pick(o.Rand, "true", "false")
	case 2:
		return pick(o.Rand, "0", "-1", "1.5e300", "123456789012345678901234567890", "1e-7")
	case 3, 4:
		return o.quoted(o.text())
	case 5:
		if depth > 0 {
			return "[" + o.anything(depth-1) + "," + o.anything(depth-1) + "]"
		}
		return "[]"
	case 6:
		if depth > 0 {
			return `{"a":` + o.anything(depth-1) + `,"name":` + o.anything(depth-1) + "}"
		}
	}
	return "{}"
}

func wrongCase(name string) string {
	first := []rune(name)
	if unicode.IsLower(first[0]) {
		first[0] = unicode.ToUpper(first[0])
		return string(first)
	}
	return strings.ToLower(name)
}

var words = []string{
	"", "a", "app", "web", "nginx:1.27", "ghcr.io/acme/shop@sha256:6cbb0c", "ClusterFirst", "Always", "/healthz", "8080", "true", "null", "~",
	"kubernetes.io/os", "prometheus.io/scrape", "flagger.app/scale-to-zero", "cpu", "memory", "nvidia.com/gpu", "$(POD_IP)", "10.0.0.1", "a=b,c!=d",
}

// Pieces that have gone wrong somewhere: what spew itself writes, formats, HTML, control characters,
// letters that sort differently as UTF-16, combining ones, blanks of all kinds.
var pieces = []string{
	"<nil>", "} {", "map[", "(string)", "[]", "%s", "%!s(int=5)", "%#v", "\\", "\"", "'", "/", "<a href=\"x\">&amp;", "&", ":", " ", "  ", "\t", "\n", "\r\n",
	"\b", "\f", "\x01", "\x1b[31m", "\x1f", "\x7f", "\u0080", "\u00a0", "é", "e\u0301", "ß", "日本語", "Привет", "🦩", "👩‍👩‍👧", "\u2028", "\u2029", "\ufeff", "\ufffd", "\uffff",
	"\ue000", "\ud7ff", "\U00010000", "\U0010ffff", "-", ".", "_", "0", "Z", "z", "\\u0000", "\\n",
}

func (o *object) text() string {
	if o.odd == 0 || !o.chance(0.2+o.odd) {
		return pick(o.Rand, words...)
	}
	var b strings.Builder
	for range o.IntN(6) {
		b.WriteString(pick(o.Rand, pieces...))
		if o.IntN(3) == 0 {
			b.WriteString(pick(o.Rand, words...))
		}
	}
	if o.IntN(200) == 0 {
		b.WriteString(strings.Repeat("long ", o.IntN(4000)))
	}
	return b.String()
}

func (o *object) mapKey(elem *shape) string {
	if elem.name == "resource.Quantity" && o.IntN(4) > 0 {
		return pick(o.Rand, "cpu", "memory", "ephemeral-storage", "hugepages-2Mi", "nvidia.com/gpu", "pods")
	}
	return o.text()
}

func (o *object) str(s string) { o.WriteString(o.quoted(s)) }

// quoted writes a JSON string in this object's way of escaping.
func (o *object) quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		escapers[o.escapes](&b, r, o.Rand)
	}
	b.WriteByte('"')
	return b.String()
}

var escapers = []func(*strings.Builder, rune, *rand.Rand){escapeLeast, escapeLeast, escapeAsGo, escapeASCII, escapeSome}

var short = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}

func escapeLeast(b *strings.Builder, r rune, _ *rand.Rand) {
	switch {
	case short[r] != "":
		b.WriteString(short[r])
	case r < ' ':
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		b.WriteRune(r)
	}
}

func escapeAsGo(b *strings.Builder, r rune, rnd *rand.Rand) {
	if strings.ContainsRune("<>&\u2028\u2029\b\f", r) {
		fmt.Fprintf(b, `\u%04x`, r)
		return
	}
	escapeLeast(b, r, rnd)
}

func escapeASCII(b *strings.Builder, r rune, rnd *rand.Rand) {
	switch {
	case r > 0xffff:
		fmt.Fprintf(b, `\u%04X\u%04x`, 0xd800+(r-0x10000)>>10, 0xdc00+(r-0x10000)&0x3ff)
	case r > '~':
		fmt.Fprintf(b, `\u%04x`, r)
	default:
		escapeLeast(b, r, rnd)
	}
}

func escapeSome(b *strings.Builder, r rune, rnd *rand.Rand) {
	switch {
	case r == '/' && rnd.IntN(2) == 0:
		b.WriteString(`\/`)
	case rnd.IntN(4) == 0 && r <= 0xffff:
		fmt.Fprintf(b, `\u%04X`, r)
	case rnd.IntN(4) == 0:
		escapeASCII(b, r, rnd)
	default:
		escapeLeast(b, r, rnd)
	}
}
