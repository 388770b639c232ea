#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Runs the cases with perch and perch-test under valgrind: any error or definite leak fails the case
# it happens in (its exit code becomes 99). CASES narrows to a glob; all of them take some 20 minutes.
set -eu
cd "$(dirname "$0")/.."
command -v valgrind >/dev/null || { echo "✗ valgrind is not installed" >&2; exit 2; }
make -s all build/perch-test
mkdir -p build/valgrind
for tool in perch perch-test; do
	real=$([ $tool = perch ] && echo "$PWD/perch" || echo "$PWD/build/perch-test")
	cat >build/valgrind/$tool <<W
#!/bin/sh
[ -d "\${TMPDIR:-/tmp}" ] || exec $real "\$@" # a case has none, and valgrind can't start without
ARENA_DEBUG=1 exec valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite --suppressions=$PWD/scripts/valgrind.supp $real "\$@"
W
	chmod +x build/valgrind/$tool
done
# The runner itself runs bare; the wrappers come first on the cases' PATH.
build/perch-test run --seconds 600 --bin build/valgrind ${CASES:+--case "$CASES"}
