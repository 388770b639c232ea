#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Holds README.md against the cases: each console block that begins with `$ perch …` must be the
# command and the output of a case under testdata/readme. Prints a line per breach.
set -eu
cd "$(dirname "$0")/.."
awk -v q="'" '
	/^```console$/ { inside = 1; n++; command = ""; text = ""; next }
	/^```$/ && inside { inside = 0; check(); next }
	inside && command == "" { command = substr($0, 3); next }
	inside { text = text $0 "\n" }
	function check(   dir, line, last, out, found) {
		while (("ls -d testdata/readme/*/" | getline dir) > 0) {
			last = ""
			while ((getline line < (dir "cmd")) > 0) last = line
			close(dir "cmd")
			if (last != command) continue
			found = 1
			out = ""
			while ((getline line < (dir "stdout")) > 0) out = out line "\n"
			close(dir "stdout")
			if (out != text) print "README.md: the output of " q command q " is not what " dir " expects"
		}
		close("ls -d testdata/readme/*/")
		if (!found) print "README.md: no case under testdata/readme runs " q command q
	}
	END { if (!n) print "README.md: shows no output" }' README.md
