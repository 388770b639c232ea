// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strconv"
	"strings"
)

var (
	decimalSuffixes = []string{"", "", "", "n", "u", "m", "m", "k", "M", "G", "T", "P", "E"}
	binarySuffixes  = []string{"Ki", "Mi", "Mi", "Gi", "Gi", "Ti", "Pi", "Ei"}
)

// Quantities that sit on an edge: of the fast path's 18 digits, of int64, of the scales, of rounding.
var edgeQuantities = []string{
	"0", "-0", "+0", "0m", "0Ki", "0e0", "0.0", "0.000", "000", "00.00Mi", ".0", "0.", "5.", ".5", "-.5", "+.5Gi", "0E", "1E", "1E3", "1e3", "1e-3", "1E+2", "1e0", "1e+00",
	"999999999999999999", "1000000000000000000", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
	"99999999999999999999999999999", "0.000000001", "0.0000000001", "0.9999999999", "-0.0000000001", "1.0000000001", "0.0000000000000000000000001",
	"1n", "0.1n", "1.5n", "999n", "1000n", "1000000n", "1u", "0.0001u", "100m", "1000m", "1500m", "0.5m", "1000", "1000k", "100000k", "1024", "1024Ki", "1024Mi",
	"1Ki", "7Ki", "8Ki", "12Ki", "100Mi", "128Mi", "512Mi", "1.5Gi", "0.5Gi", "0.1Ki", "0.0001Ki", "0.9Mi", "99Ti", "100Ti", "999Ti", "1000Ti", "1Pi", "0Pi", "1Ei", "7Ei", "8Ei", "9Ei",
	"-1Ei", "-8Ei", "-9Ei", "100Ei", "7.9999Ei", "9007199254740992Ki", "9007199254740993Ki", "123456789012345678Ki", "8191Pi", "8192Pi", "9E", "9.3E", "10E", "-10E", "1000E",
	"1e18", "1e19", "1e-9", "1e-10", "1e9", "12e-9", "1e27", "1e30", "123e40", "5e-40", "100e-2", "1000e-3", "1e1", "1.25e2", "0.00e5",
	"000000000000000000000000000001", "0000100Mi", "-001500m", "+1", "+100Mi", "00000000000000000000.10", "1.000", "1.500", "2000.000", "12.3450", "1.0Gi", "1.00m", "10.000k",
	"18446744073709551615", "18446744073709551616", "340282366920938463463374607431768211456", "1234567890123456789012345678901234567890Mi",
}

func (o *object) quantity() string {
	if o.chance(0.1 + o.odd) {
		text := pick(o.Rand, edgeQuantities...)
		if o.IntN(3) == 0 {
			text = o.builtQuantity()
		}
		return o.spelledQuantity(text)
	}
	return `"` + pick(o.Rand, "100m", "250m", "1", "2", "500m", "64Mi", "100Mi", "128Mi", "256Mi", "1Gi", "2Gi", "10Gi", "1500m", "0", "1k", "200Ti") + `"`
}

// spelledQuantity quotes a quantity or, as JSON allows for some, leaves it a number.
func (o *object) spelledQuantity(text string) string {
	if _, err := strconv.ParseFloat(text, 64); err == nil && o.IntN(4) == 0 {
		digits := strings.TrimPrefix(text, "-")
		if bare := isDigit(digits, 0) && isDigit(digits, len(digits)-1) && !(digits[0] == '0' && isDigit(digits, 1)); bare &&
			!strings.Contains(digits, ".e") {
			return text
		}
	}
	if o.chance(0.02) {
		text = pick(o.Rand, " "+text, text+" ", "\u00a0"+text, text+"\u2003")
	}
	return `"` + text + `"`
}

func isDigit(s string, i int) bool { return i < len(s) && s[i] >= '0' && s[i] <= '9' }

func (o *object) builtQuantity() string {
	var b strings.Builder
	b.WriteString(pick(o.Rand, "", "", "", "", "-", "+"))
	b.WriteString(strings.Repeat("0", pick(o.Rand, 0, 0, 0, 1, 3, 20)))
	b.WriteString(o.digits(pick(o.Rand, 1, 1, 2, 3, 3, 4, 7, 12, 17, 18, 19, 20, 30)))
	if o.IntN(3) == 0 {
		b.WriteByte('.')
		b.WriteString(o.digits(pick(o.Rand, 0, 1, 2, 3, 3, 6, 9, 10, 18, 25)))
	}
	switch o.IntN(5) {
	case 0, 1:
		b.WriteString(pick(o.Rand, decimalSuffixes...))
	case 2, 3:
		b.WriteString(pick(o.Rand, binarySuffixes...))
	default:
		b.WriteString(pick(o.Rand, "e", "E") + pick(o.Rand, "", "", "-", "+") + strconv.Itoa(o.IntN(pick(o.Rand, 4, 4, 20, 40, 200))))
	}
	return b.String()
}

func (o *object) digits(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "0123456789"[o.IntN(10)]
	}
	if o.IntN(4) == 0 && n > 3 {
		copy(b[n-3:], "000")
	}
	return string(b)
}

func (o *object) badQuantity() string {
	return pick(o.Rand, `""`, `" "`, `"abc"`, `"1KiB"`, `"1 Ki"`, `"1K"`, `"1mm"`, `"1e"`, `"1e+"`, `"1e1.5"`, `"--1"`, `"+-1"`, `"1.2.3"`, `"."`, `"-"`, `"+"`, `"Ki"`, `"m"`, `"e3"`, `".Ki"`,
		`"-.m"`, `"0x10"`, `"1_000"`, `"1,5"`, `"NaN"`, `"Inf"`, `"１"`, `true`, `false`, `[]`, `{}`, `["1"]`, `{"a":"1"}`, `1e3`, `1.5`, `-0`, `0`, `1E400`, `"1e99999999999"`, `"1i"`, `"1ki"`, `"1mi"`,
		`"1N"`, `"1U"`, `"1g"`, `"1Kii"`, `"1e2Ki"`, `"1E2m"`, `"1e 3"`, `"0e"`, `"5.m"`, `"5.Gi"`, `".5m"`)
}
