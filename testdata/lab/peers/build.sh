#!/bin/sh -eu
# SPDX-License-Identifier: Apache-2.0
# usage: build.sh; builds peer-hash, peer-predict and fleet and prints the folder they are in.
here=$(cd "$(dirname "$0")" && pwd)
out=${XDG_CACHE_HOME:-$HOME/.cache}/perch-lab/peers
mkdir -p "$out"
export GOWORK=off
cd "$here" && go build -o "$out/" ./peer-hash ./peer-predict
cd "$here/fleet" && go build -o "$out/fleet" .
echo "$out"
