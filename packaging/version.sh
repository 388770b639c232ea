# SPDX-License-Identifier: Apache-2.0
# Sourced with `here`, the top of the tree: which perch this is, of when.
: "${VERSION:=$(sed -n 's/^VERSION := //p' "$here/Makefile")}"
: "${SOURCE_DATE_EPOCH:=$(git -C "$here" log -1 --format=%ct 2>/dev/null || stat -c %Y "$here/Makefile")}"
export VERSION SOURCE_DATE_EPOCH
umask 022
