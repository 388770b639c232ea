#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What action.yml runs: gets perch (a binary that is there, a release checked against its checksum, or
# a build of this source), runs diff or plan with `-o github`, and turns the answer into this step's
# exit code. All it is told comes in INPUT_* variables and the runner's GITHUB_* and RUNNER_*; nothing
# of it is ever evaluated. It writes below RUNNER_TEMP and to the runner's own files only.
set -euo pipefail
export LC_ALL=C

home=${GITHUB_ACTION_PATH:?}
work=$(mktemp -d "${RUNNER_TEMP:?}/perch-XXXXXX")
trap 'rm -rf "$work"' EXIT

# A message of the runner's own, with what it would take for an end of line or of the command escaped.
refuse() { # MESSAGE
	local text=${1//'%'/%25}
	text=${text//$'\r'/%0D}
	echo "::error title=perch::${text//$'\n'/%0A}"
	exit 2
}

# The words of a file that the runner must not obey.
quote() { # FILE
	local token
	token=perch-$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	[ -s "$1" ] || return 0
	echo "::stop-commands::$token"
	cat "$1"
	echo
	echo "::$token::"
}

fetch() { # URL FILE
	local only='=https'
	case $1 in
	file://*) only='=file' ;;
	http://127.0.0.1[:/]* | http://localhost[:/]*) only='=http' ;;
	https://*) ;;
	*) refuse "base-url: '$1' is neither https:// nor file://" ;;
	esac
	curl -sSfL --proto "$only" --proto-redir "$only" --retry 3 --max-time 300 -o "$2" -- "$1" 2>"$work/curl" ||
		refuse "can't download '$1': $(cat "$work/curl")"
}

# The one sum that the release states for this archive.
stated_sum() { # ARCHIVE
	awk -v name="$1" '$2 == name || $2 == "*" name { print tolower($1) }' "$work/checksums.txt"
}

download() { # VERSION
	local arch base archive sum found
	local repository=${INPUT_ACTION_REPOSITORY:-${GITHUB_ACTION_REPOSITORY:-}}
	case $(uname -s)/$(uname -m) in
	Linux/x86_64) arch=amd64 ;;
	Linux/aarch64 | Linux/arm64) arch=arm64 ;;
	*) refuse "no release of perch for $(uname -s) on $(uname -m)" ;;
	esac
	archive=perch-$1-linux-$arch.tar.gz
	base=${INPUT_BASE_URL:-}
	if [ -z "$base" ]; then
		[ -n "$repository" ] || refuse "base-url: not given, and the action's repository isn't known"
		base=${GITHUB_SERVER_URL:-https://github.com}/$repository/releases/download
	fi
	fetch "${base%/}/v$1/checksums.txt" "$work/checksums.txt"
	fetch "${base%/}/v$1/$archive" "$work/$archive"
	sum=$(stated_sum "$archive")
	found=$(sha256sum "$work/$archive")
	found=${found%% *}
	[[ $sum =~ ^[0-9a-f]{64}$ ]] || refuse "checksums.txt states no single SHA-256 of $archive"
	[ "$sum" = "$found" ] || refuse "$archive has SHA-256 $found, its release states $sum"
	if [ -n "${INPUT_SHA256:-}" ] && [ "$INPUT_SHA256" != "$found" ]; then
		refuse "$archive has SHA-256 $found, the workflow wants $INPUT_SHA256"
	fi
	mkdir "$work/release"
	tar -xzf "$work/$archive" -C "$work/release" --no-same-owner
	perch=$(find "$work/release" -maxdepth 2 -type f -name perch -perm -u+x)
	[ -f "$perch" ] || refuse "$archive holds no perch"
}

build() {
	echo "perch is built from source"
	{ make -C "$home" -s deps && make -C "$home" -s all B="$work/build"; } >"$work/log" 2>&1 || {
		quote "$work/log"
		refuse "perch can't be built from source"
	}
	perch=$work/build/perch
}

# A binary that is named, the version that is named, that of the action's own tag, or this source.
get_perch() {
	local version=${INPUT_VERSION:-${INPUT_ACTION_REF:-${GITHUB_ACTION_REF:-}}}
	version=${version#v}
	if [ -n "${INPUT_BINARY:-}" ]; then
		perch=$(command -v -- "$INPUT_BINARY") || refuse "no binary '$INPUT_BINARY'"
	elif [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]]; then
		download "$version"
	elif [ -n "${INPUT_VERSION:-}" ] && [ "$version" != source ]; then
		refuse "version: '$INPUT_VERSION' is neither like 0.1.0 nor source"
	else
		build
	fi
}

# An option for each line of a list.
arguments=()
each() { # OPTION LIST
	local line
	while IFS= read -r line || [ -n "$line" ]; do
		line=${line%$'\r'}
		[ -z "$line" ] || arguments+=("$1=$line")
	done <<<"$2"
}

case ${INPUT_FAIL_ON:=never} in
never | unproved | real) ;;
*) refuse "fail-on: '$INPUT_FAIL_ON' is none of never, unproved, real" ;;
esac
[ -n "${INPUT_FILES:-}" ] || refuse "files: nothing rendered is named"
verb=plan
[ -z "${INPUT_BASE:-}" ] || verb=diff
each --file "$INPUT_FILES"
each --base "${INPUT_BASE:-}"
each --live "${INPUT_LIVE:-}"
each --policy "${INPUT_POLICY:-}"
each --namespace "${INPUT_NAMESPACE:-}"
each --flagger "${INPUT_FLAGGER:-}"
each --server-version "${INPUT_SERVER_VERSION:-}"

perch=
get_perch
code=0
: >"$work/output"
PERCH_ORIGIN_ROOT=${INPUT_KUSTOMIZATION:-} GITHUB_OUTPUT=$work/output \
	"$perch" "$verb" -o github "${arguments[@]}" >"$work/annotations" 2>"$work/messages" || code=$?
cat "$work/output" >>"${GITHUB_OUTPUT:-/dev/null}"
cat "$work/annotations"
quote "$work/messages"

changed=$(sed -n '/^changed<</{n;p;q}' "$work/output")
case $code in
0 | 1 | 7) ;;
*)
	echo "::error title=perch::perch $verb ended with exit code $code"
	exit "$code"
	;;
esac
case $INPUT_FAIL_ON/$code/$changed in
unproved/7/* | real/7/*) refuse_with=7 ;;
real/1/true) refuse_with=1 ;;
*) refuse_with=0 ;;
esac
if [ "$refuse_with" = 0 ]; then
	exit 0
elif [ "$refuse_with" = 7 ]; then
	echo "::error title=perch::something is unknown or unproved, and fail-on is $INPUT_FAIL_ON"
else
	echo "::error title=perch::something really changes, and fail-on is $INPUT_FAIL_ON"
fi
exit "$refuse_with"
