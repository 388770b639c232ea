// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

var edges = []string{
	"0", "-0", "+0", "00", "0.0", ".0", "0.", "0m", "0Ki", "0e0", "0E", "0n", "5.", ".5", "-.5", "+.5", "1E", "1E3", "1e3", "1e-3", "1e+3", "1E+03", "1e0", "e", "E", "1e", "1e+",
	"1000", "1000000", "1000m", "1500m", "0.5m", "1n", "0.5n", "999n", "1000n", "1000000000n", "1u", "100u", "1024", "1024Ki", "1024Mi", "1.5Gi", "1536Mi", "0.5Gi", "0.0001Ki", "0.1Ki", "1Ki", "1.1Ki",
	"999999999999999999", "9999999999999999999", "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "7Ei", "8Ei", "7.99Ei", "9Ei", "-8Ei", "-9Ei", "9E", "9.3E", "10E", "-10E", "1000E", "8191Pi", "8192Pi", "100Ti", "1000Ti", "1Pi",
	"9223372036854775807n", "9223372036854775807m", "9223372036854775808m", "0.0000000001", "0.0000000009", "1.0000000001", "1.9999999999", "-1.0000000001", "1e-9", "1e-10", "1e18", "1e19", "1e20", "123e-12", "000000000000000000000000000001", "1.000000000000000000000000000", "18446744073709551616",
	"100.035k", "12.34567890123m", "1.23456789e9", "1e9", "1e10", "100e-1", "-100m", "+100Mi", "0001Mi", "1_000", "1,5", " 5", "5 ", "\t5", "\u00a05", "１", "1 Gi", "1K", "1ki", "1KiB", "1mm", "--1", "+-1", "1.2.3", ".", "-", "+", "x", "Ki", "m", "0x10", "NaN", "inf", "1e1.5", "1e2Ki", "1i", "1N", "5.m", ".5m", "-.m", "1\u00b5",
}

// makeQuantity gives a quantity and, after a bar, another or, as often as not, another way to write it.
func makeQuantity(seed, index uint64) string {
	r := rand.New(rand.NewPCG(seed, index))
	text := oneQuantity(r)
	if r.IntN(2) == 0 {
		return text + "|" + oneQuantity(r)
	}
	return text + "|" + respelled(r, text)
}

func oneQuantity(r *rand.Rand) string {
	if r.IntN(3) == 0 {
		return pick(r, edges...)
	}
	return built(r)
}

func built(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString(pick(r, "", "", "", "", "-", "+"))
	b.WriteString(strings.Repeat("0", pick(r, 0, 0, 0, 1, 4, 20)))
	b.WriteString(digits(r, pick(r, 1, 1, 2, 3, 4, 7, 12, 17, 18, 19, 20, 30)))
	if r.IntN(3) == 0 {
		b.WriteString("." + digits(r, pick(r, 0, 1, 2, 3, 6, 9, 10, 18, 25)))
	}
	b.WriteString(pick(r, "", "", "n", "u", "m", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei",
		pick(r, "e", "E")+pick(r, "", "-", "+")+strconv.Itoa(r.IntN(pick(r, 4, 20, 60)))))
	return b.String()
}

func digits(r *rand.Rand, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "0123456789"[r.IntN(10)]
	}
	if n > 3 && r.IntN(3) == 0 {
		copy(b[n-3:], "000")
	}
	return string(b)
}

func respelled(r *rand.Rand, text string) string {
	step := map[string]string{"k": "000", "M": "000k", "G": "000M", "T": "000G", "P": "000T", "E": "000P", "m": "000u", "u": "000n", "Ki": "", "": "000m"}
	number := strings.TrimRight(text, "kMGTPEmunKi")
	suffix := text[len(number):]
	if more, ok := step[suffix]; ok && !strings.ContainsAny(number, ".eE ") && number != "" {
		return pick(r, number+more, "0"+text, number+".0"+suffix, number+".000000001"+suffix, number+more)
	}
	return pick(r, text, text+"0", "0"+text, " "+text)
}
