# SPDX-License-Identifier: Apache-2.0
# What the suites of the lab share: how they start, count and wait. A suite that sources this prints a line per failure, in the words
# of TAP, and at its end `N passed, N failed`.
lab=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$lab/../.." && pwd)
cache=${PERCH_LAB_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab}
perch=${PERCH_BINARY:-$root/perch} perch_test=${PERCH_TEST:-$root/build/perch-test}
passed=0 failed=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# --- start

# Runs the script anew inside of a lab, unless it is: the API server alone, or all of it, and what Flaggers it needs.
in_lab() { # api|lab RELEASES "$@"
	local parts=$1 releases=$2
	shift 2
	[ "${1:-}" != inside ] || return 0
	rmdir "$scratch" # exec runs no trap
	# shellcheck disable=SC2086
	"$lab/lab.sh" build lab $releases
	set -- "$0" inside "$@"
	[ "$parts" != api ] || set -- api -- "$@"
	exec "$lab/lab.sh" run "$@"
}
# A Go program of the lab's, built if need be, is on the PATH from here on.
tool() { # FOLDER [NAME]
	local into=$cache/${1%%/*}
	mkdir -p "$into"
	(cd "$lab/$1" && go build -mod=readonly -o "$into/${2:-${1##*/}}" .)
	PATH=$into:$PATH
}
# The file of CRDs that a release of Flagger ships.
crd_of() { # 1.38
	(
		cd "$lab/flagger-$1"
		go mod download github.com/fluxcd/flagger
		echo "$(go list -m -f '{{.Dir}}' github.com/fluxcd/flagger)/artifacts/flagger/crd.yaml"
	)
}
# What needs a Pod's processes is skipped where the lab can't execute them.
needs_containers() {
	grep -qs 'permits no mount namespaces' "$LAB_RUN/kubelet-check.log" || return 0
	echo "skipped: $(cat "$LAB_RUN/kubelet-check.log")"
	exit
}

# --- count: what is run has no local of these in its way

pass() { passed=$((passed + 1)); }
not_ok() { # NAME [FILE]...: which are shown
	failed=$((failed + 1))
	printf 'not ok - %s\n' "$1"
	shift
	[ $# -eq 0 ] || tail -qn 20 -- "$@" 2>&1 | cut -c 1-400 | sed 's/^/    /' || true
}
ok() { # NAME COMMAND...: it must succeed
	if [ $# -gt 1 ] && "${@:2}" >"$scratch/ok" 2>&1; then pass; else not_ok "$1" "$scratch/ok"; fi
}
is() { # NAME WANTED GOT
	if [ "$2" = "$3" ]; then pass; else differs "$@"; fi
}
like() { # NAME PATTERN GOT: a pattern of the shell's
	# shellcheck disable=SC2053
	if [[ $3 == $2 ]]; then pass; else differs "$@"; fi
}
differs() {
	not_ok "$1"
	printf '    wanted  %s\n    got     %s\n' "$2" "$3"
}
has() { # NAME TEXT FILE...: one of the files has it
	local name=$1 text=$2
	shift 2
	if grep -qsF -- "$text" "$@"; then pass; else
		not_ok "$name" "$@"
		echo "    wanted  $text"
	fi
}
same_files() { # NAME FILE FILE: they are alike, and the first isn't empty
	local name=$1
	shift
	if [ -s "$1" ] && cmp -s "$@"; then pass; else
		diff "$@" >"$scratch/differs" 2>&1 || true
		not_ok "$name" "$scratch/differs"
	fi
}
expect() { # NAME CODE TEXT COMMAND...: it exits with CODE and says TEXT; '' is any. What it said is in $scratch/out
	local exit_code=0
	"${@:4}" >"$scratch/out" 2>&1 || exit_code=$?
	if [ $exit_code = "$2" ] && { [ -z "$3" ] || grep -qF -- "$3" "$scratch/out"; }; then pass; else
		not_ok "$1: exit $exit_code, wanted $2 and '$3'" "$scratch/out"
	fi
}
finish() {
	echo "$passed passed, $failed failed"
	[ $failed = 0 ] && [ $passed -gt 0 ]
}

# --- wait: the command is asked anew at each try, so its operands mustn't be what an earlier answer was

within() { # SECONDS COMMAND...: until it succeeds
	local deadline=$((SECONDS + $1))
	until "${@:2}" >/dev/null 2>&1; do
		[ $SECONDS -lt $deadline ] || { echo "not within its time: ${*:2}"; "${@:2}"; return; }
		sleep 0.3
	done
}
