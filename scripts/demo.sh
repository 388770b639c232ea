#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The main job on real input: a fleet that real Flagger 1.37.0 settled (testdata/incident, taken from
# a real API server), the upgrade to 1.38, and a commit in a Git repository. Writes nothing but a
# scratch repository. `demo.sh PERCH` runs the binary given.
set -eu
perch=$1
cd "$(dirname "$0")/../testdata/incident"
case $perch in /*) ;; */*) perch=$OLDPWD/$perch ;; esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

say() { printf '\n# %s\n' "$*"; }
run() { # shows the command as a user would type it; findings (1, 7) are no failure of the demo
	echo "\$ perch $*" | sed "s|$scratch/||g"
	code=0
	"$perch" "$@" || code=$?
	echo "(exit $code)"
	case $code in 0 | 1 | 7) ;; *) exit "$code" ;; esac
}

export GIT_AUTHOR_NAME=demo GIT_AUTHOR_EMAIL=demo@example.com GIT_AUTHOR_DATE=2026-01-01T00:00:00Z
export GIT_COMMITTER_NAME=demo GIT_COMMITTER_EMAIL=demo@example.com GIT_COMMITTER_DATE=2026-01-01T00:00:00Z
commit() { # DIR MESSAGE: the folder becomes a commit on main of a bare repository
	git --git-dir="$scratch/fleet.git" --work-tree="repo/$1" add -A .
	git --git-dir="$scratch/fleet.git" --work-tree="repo/$1" commit -q -m "$2"
}
git init -q --bare -b main "$scratch/fleet.git"
git --git-dir="$scratch/fleet.git" config core.bare false
commit base "what is deployed"
commit head "release cart, tune catalog, drop a cache, reformat the rest"

say "27 canaries, settled under Flagger 1.37.0. What would an upgrade to 1.38 roll?"
run predict --to 1.38 --live cluster.json

say "One of them in full: what is stored, which schema explains it, target against primary."
run explain --live cluster.json -n shop cart

say "The commit on main, rendered YAML in Git. What is real, and what would Flagger do?"
run plan --live cluster.json --git "$scratch/fleet.git" --rev main -n shop

say "And line by line, as a reviewer reads it."
run diff --live cluster.json --git "$scratch/fleet.git" --rev main --path shop
