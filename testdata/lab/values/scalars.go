// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"
	"strings"
)

// Plain scalars that YAML 1.1, YAML 1.2 and people read differently.
var oddPlain = []string{
	"y", "Y", "yes", "Yes", "YES", "yEs", "n", "N", "no", "No", "NO", "nO", "on", "On", "ON", "oN", "off", "Off", "OFF", "oFf", "true", "True", "TRUE", "tRue", "false", "False", "FALSE", "fAlse", "t", "f",
	"~", "null", "Null", "NULL", "nUll", "none", "nil", "~x", "",
	"0", "-0", "+0", "1", "-1", "+1", "--1", "+-1", "00", "007", "0644", "0755", "08", "09", "0008", "09334553", "0o17", "0O17", "0o8", "-017", "+017", "0_644", "0o6_44", "0x1F", "0X1f", "0xg", "0x", "-0x1f", "+0xF", "0x_1F", "0b11", "0B11", "0b2", "0b", "-0b11", "+0b1", "0b_1",
	"1_000", "_1", "1_", "1__0", "1,000", "0x7fffffffffffffff", "0xffffffffffffffff", "0x1ffffffffffffffff", "0777777777777777777777", "01777777777777777777777", "-0b1111", "-0b", "- 1",
	"9007199254740993", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "123456789012345678901234567890", "-123456789012345678901234567890",
	"1.0", "1.10", "1.", "5.", ".5", "-.5", "+.5", ".", "..", "-", "+", "1.5", "-1.5", "+1.5", "01.5", "1.2.3", "0.0", "-0.0", "0.10", "1_000.5", "1._5", "._5", "100.000000000000000000001", "0.1", "0.30000000000000004", "3.14159265358979323846", "123456789.123456789",
	"1e3", "1E3", "1e+3", "1e-3", "1.5e7", "1.5e-7", "1e-6", "1e-7", "1e20", "1e21", "1e22", "-1e21", "1e", "1e+", "e3", "1e3.5", "1e400", "-1e400", "1e-400", "1e308", "1.8e308", "5e-324", "2e-324", "6063e25", "0e0", "0e5", "1_0e3", "12e03", "1e1_0", "0x1p3", "0x1.8p1", "1E400",
	".inf", ".Inf", ".INF", "-.inf", "+.inf", ".iNf", ".nan", ".NaN", ".NAN", ".Nan", "inf", "Inf", "infinity", "nan", "NaN", "-inf", "+Inf", "-.INF",
	"2021-01-01", "2021-01-01T00:00:00Z", "2001-12-14 21:59:43.10 -5", "2001-12-14t21:59:43.10-05:00", "12:30:45", "190:20:30", "1:30", "-1:30", "22:22", "12:30:45.5", "1:60",
	"<<", "=", "a=b", "<", "=>", "1Gi", "100m", "1k", "128Mi", "1e3Mi", "0.5", "v1.2", "10.0.0.1", "::1", "80:80", "a:b", "a#b", "http://x/y#z", "x y", "-x", "-1x", "?x", ":x", "$(A)", "é", "日本語", "🦩", "a'b", `a"b`, `a\nb`, "\u00a0", "a\tb", "@x"[1:], "x@y", "%a"[1:], "a%", "a|b", "a>b", "!x"[1:], "&x"[1:], "*x"[1:], "x*", "...x",
}

var words = []string{"app", "name", "image", "nginx", "value", "a", "b", "c", "x1", "spec", "some words here", "web-1", "example.com/path"}

// Flow indicators where a plain scalar begins, and what is no scalar at all.
var brokenPlain = []string{"@x", "`x`", "%a", "!x", "&x", "*undefined", "a: b", "a #b", "[", "{", "]", "}", ",", "- a", "? a", "|", ">", "'", `"`, `"\q"`, `"\x4"`, "#x", "\tx", "x\t", "!!str", "!!null", "&a", "!!int x", "!!float x", "!!bool x", "!!binary ###"}

var tagged = []string{
	`!!str 5`, `!!str true`, `!!str ~`, `!!str`, `!!int "5"`, `!!int 5`, `!!int 5.0`, `!!int "0x1F"`, `!!int 1e3`, `!!int "08"`, `!!int ""`, `!!float 5`, `!!float "5"`, `!!float 1`, `!!float "1e3"`, `!!float ".inf"`, `!!float 0x10`, `!!bool "yes"`, `!!bool true`, `!!bool 1`, `!!bool "y"`,
	`!!null ""`, `!!null "null"`, `!!null x`, `!!binary aGVsbG8=`, `!!binary "aGVs bG8="`, `!!binary aGVsbG8`, `!!binary "/w=="`, `!!binary ""`, `!!timestamp 2021-01-01`, `!!timestamp "2021-01-01"`, `!local 5`, `!local "5"`, `! 5`, `! true`, `!<tag:yaml.org,2002:int> "7"`, `!!unknown 5`, `!!map {}`, `!!seq []`, `!!set {a}`, `!!omap [a: 1]`, `!!merge <<`, `!!value =`,
	`!!str 0x1F`, `!!str 1e3`, `!!str "5"`, `!!str 'yes'`, `!!str null`, `!!int '1_000'`, `!!float '1_000.5'`, `!!bool 'off'`, `!!int "+1"`, `!!int "18446744073709551616"`, `!!float "18446744073709551616"`,
}

func (d *document) scalar() string {
	if d.plain && d.IntN(6) > 0 {
		return pick(d.Rand, words...)
	}
	if d.IntN(3) == 0 {
		return pick(d.Rand, words...)
	}
	return d.oddScalar()
}

func (d *document) oddScalar() string {
	switch d.IntN(24) {
	case 0, 1:
		return d.singleQuoted()
	case 2, 3:
		return d.doubleQuoted()
	case 4, 5:
		return pick(d.Rand, tagged...)
	case 6:
		return d.builtNumber()
	case 7:
		if d.IntN(4) == 0 {
			return pick(d.Rand, brokenPlain...)
		}
	case 8:
		return d.mutated(pick(d.Rand, oddPlain...))
	}
	return pick(d.Rand, oddPlain...)
}

// mutated changes one character of a plain scalar for another that such scalars are made of.
func (d *document) mutated(s string) string {
	if s == "" {
		return s
	}
	runes := []rune(s)
	const others = "0123456789_.+-eExobinfyYtTrue~:<= "
	i := d.IntN(len(runes))
	switch d.IntN(3) {
	case 0:
		runes[i] = rune(others[d.IntN(len(others)-1)])
	case 1:
		runes = append(runes[:i], runes[i+1:]...)
	default:
		runes = append(runes, rune(others[d.IntN(len(others)-1)]))
	}
	return string(runes)
}

func (d *document) builtNumber() string {
	var b strings.Builder
	b.WriteString(pick(d.Rand, "", "", "-", "+"))
	b.WriteString(pick(d.Rand, "", "", "0", "00", "0x", "0o", "0b"))
	for range 1 + d.IntN(pick(d.Rand, 2, 4, 20, 40)) {
		b.WriteByte("0123456789_"[d.IntN(pick(d.Rand, 2, 8, 10, 11))])
	}
	if d.IntN(3) == 0 {
		fmt.Fprintf(&b, ".%d", d.IntN(100000))
	}
	if d.IntN(3) == 0 {
		b.WriteString(pick(d.Rand, "e", "E") + pick(d.Rand, "", "+", "-") + strconv.Itoa(d.IntN(pick(d.Rand, 5, 25, 330))))
	}
	return b.String()
}

func (d *document) singleQuoted() string {
	return "'" + pick(d.Rand, "", "a", "5", "true", "~", "it''s", "<<", "y", " lead", "trail ", `\n`, "é\u2028x", "#x", ": ", "a: b", "{}") + "'"
}

// `\/` is left out: libyaml reads it, go-yaml refuses it.
func (d *document) doubleQuoted() string {
	var b strings.Builder
	b.WriteByte('"')
	for range d.IntN(4) {
		b.WriteString(pick(d.Rand, "a", "5", "true", "~", `\n`, `\t`, `\"`, `\\`, `\a`, `\b`, `\e`, `\f`, `\r`, `\v`, `\ `, `\_`, `\N`, `\L`, `\P`, `\x41`, `\xe9`, `\u263a`, `\u00e9`, `\U0001F9A9`, "é", "🦩", " ", "'", "#", ": ", "<&>", "\u007f", `\x7f`, `\x01`, `\u2028`, "\u2028", "\ufeff"))
	}
	b.WriteByte('"')
	return b.String()
}

// key gives a map key, mostly one of a few so that merges and duplicates meet.
func (d *document) key() string {
	switch d.IntN(12) {
	case 0:
		s := d.oddScalar()
		if s == "" {
			return "empty"
		}
		return s
	case 1:
		return pick(d.Rand, `"a"`, `'b'`, `"k y"`, `"5"`, "kubernetes.io/os", "a.b/c-d", "x y", "é", "$ref", "&k key", "!!str 7", "? a")
	}
	return pick(d.Rand, "a", "b", "c", "z", "name", "image", "env", "ports", "k1", "k2", "k3", "k4", "k5", "k6")
}

func (d *document) blockScalar(indent int) string {
	var b strings.Builder
	deep := indent + pick(d.Rand, 1, 2, 2, 2, 4)
	header := pick(d.Rand, "|", "|", ">", ">") + pick(d.Rand, "", "", "-", "+")
	explicit := d.IntN(10) == 0
	if explicit {
		header += strconv.Itoa(deep - indent)
	}
	b.WriteString(pick(d.Rand, "", "", "", "", "", "!!str ", "!!binary ", "&a ") + header + pick(d.Rand, "", "", "", " # c") + "\n")
	n := d.IntN(5)
	for i := range n {
		line := pick(d.Rand, "text", "key: value", "# not a comment", "", "", "  more", "\ttab", "- item", "trail  ", "é 🦩", "---", "'quoted'", "aGVsbG8=", "5", "\"", "{a: b}", "...", "\u2028x", " ")
		if i == 0 && !explicit && strings.HasPrefix(line, " ") {
			line = "first"
		}
		if line == "" && d.IntN(2) == 0 {
			b.WriteByte('\n')
			continue
		}
		b.WriteString(strings.Repeat(" ", deep) + line + "\n")
	}
	if d.IntN(6) == 0 {
		b.WriteString(strings.Repeat("\n", d.IntN(3)))
	}
	return b.String()
}

// manyLines is a plain or quoted scalar that folds.
func (d *document) manyLines(indent int) string {
	quote := pick(d.Rand, "", "", "'", `"`)
	var lines []string
	for range 2 + d.IntN(3) {
		lines = append(lines, pick(d.Rand, "one", "two words", "5", "true", "x-y", "é"))
	}
	if quote == `"` && d.IntN(3) == 0 {
		lines[0] += `\`
	}
	gap := pick(d.Rand, "\n", "\n", "\n\n", "  \n", "\n\n\n")
	return quote + strings.Join(lines, gap+strings.Repeat(" ", indent+2)) + quote
}
