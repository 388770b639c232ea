#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The house rules, run: layers, one user per library, sizes, banned calls, and a case for every row
# of the tables. Prints one line per breach and fails if there is any. Needs sh, awk, grep.
set -u
cd "$(dirname "$0")/.." || exit 2
breaches=$(mktemp)
trap 'rm -f "$breaches"' EXIT
breach() { echo "$*" >>"$breaches"; }

sources=$(find src cmd -name '*.c' -o -name '*.h' | sort)
layers="base value k8s flagger decide io source act fleet report"

# A folder of src uses only folders before it; source and act don't know each other.
for f in $(find src -name '*.[ch]'); do
	layer=${f#src/}
	layer=${layer%%/*}
	case " $layers " in *" $layer "*) ;; *) breach "$f: no layer '$layer'" ;; esac
	allowed=" ${layers%%"$layer"*} $layer "
	[ "$layer" = act ] && allowed=" base value k8s flagger decide io act "
	grep -n '^#include "' "$f" | while IFS=: read -r line include; do
		to=${include#*\"}
		to=${to%%/*}
		case "$allowed" in *" $to "*) ;; *) breach "$f:$line: $layer includes $to" ;; esac
	done
done

# One user per library.
only() { # WORD ALLOWED-PATTERN
	for hit in $(grep -lE "$1" $sources | grep -vE "$2"); do breach "$hit: uses $1"; done
}
only 'cJSON_|cJSON [*]|<cjson' '^src/value/tree(_[a-z]+)?\.[ch]$'
only '<yaml\.h>|yaml_parser_' '^src/value/yaml[a-z_]*\.c$'
only '<git2|git_repository' '^src/io/git[a-z_]*\.[ch]$'
only '<curl/' '^src/io/http[a-z_]*\.[ch]$'

# Sizes. A function body is from a '{' to a '}' in the first column; tables are no functions.
for f in $sources; do
	awk -v f="$f" '
		/^\{/ { start = NR }
		/^\}/ && start { if (NR - start - 1 > 60) printf "%s:%d: function of %d lines\n", f, start, NR - start - 1; start = 0 }
		/[ \t]$/ { printf "%s:%d: trailing blank\n", f, NR }
		length($0) > 130 { printf "%s:%d: line of %d characters\n", f, NR, length($0) }
		NR == 1 && !/SPDX-License-Identifier: Apache-2.0/ { printf "%s: no SPDX line\n", f }
		END { if (NR > 500) printf "%s: %d lines\n", f, NR }' "$f" >>"$breaches"
	grep -nE '(^|[^a-zA-Z_])(strcpy|strcat|sprintf|vsprintf|atoi|atol|strtok|gets|scanf)\(' "$f" |
		sed "s|^|$f:|; s|\$| (banned call)|" >>"$breaches"
done

# A row without a case is a breach: rules of defaulting, verdicts, action cells, exit codes, built-ins.
cased() { # WHAT NAME PATTERN
	ls -d testdata/$3 >/dev/null 2>&1 || breach "$1 '$2' has no case (testdata/$3)"
}
for v in $(sed -n 's/^VERDICT([A-Z_]*, "\([a-z-]*\)".*/\1/p' src/decide/verdicts.def); do
	cased verdict "$v" "verdict/$v*"
	cased "action row" "$v" "action/$v"
done
for r in $(sed -nE 's/^(DEFAULT|COMPUTED|GATE)\(([a-zA-Z0-9_-]+),.*/\2/p' src/k8s/rules.def); do
	cased rule "$r" "defaults/$r*"
done
for c in $(sed -n 's/^CHECK([a-z_]*, "\([a-z-]*\)".*/\1/p' src/fleet/doctor.def); do
	cased check "$c" "doctor/$c"
	grep -q "^| \`$c\` |" docs/doctor.md || breach "check '$c' isn't in docs/doctor.md"
done
for c in $(sed -n 's/^COMMAND(\([a-z_]*\),.*/\1/p' cmd/perch-test/commands.def); do
	grep -qs "perch-test $c" testdata/*/*/cmd scripts/*.sh testdata/lab/*/run.sh Makefile ||
		breach "perch-test $c: nothing calls it"
done
for code in 1 2 3 4 5 6 7 8; do
	grep -qx "$code" testdata/*/*/exit 2>/dev/null || grep -qx "exit $code" testdata/*/*/stdout ||
		breach "exit code $code has no case"
done

# Every output that the README shows is the output of a case.
if [ -f README.md ] && [ -x scripts/readme.sh ]; then scripts/readme.sh >>"$breaches" 2>&1; fi

if [ -s "$breaches" ]; then
	sort -u "$breaches"
	echo "✗ $(sort -u "$breaches" | wc -l) breaches"
	exit 1
fi
echo "✔ lint: $(echo "$sources" | wc -l) files"
