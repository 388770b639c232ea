#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what a build needs on Debian and its kin, saying so first; elsewhere prints the packages.
set -eu
debian="gcc libc6-dev make pkg-config libcjson-dev libyaml-dev libcurl4-openssl-dev libssl-dev libgit2-dev git"
if ! command -v apt-get >/dev/null; then
	echo "perch needs a C compiler, make, pkg-config, git and the headers of these libraries:" >&2
	echo "  cJSON >= 1.7.15, libyaml >= 0.2.5, libcurl >= 7.88, libcrypto (OpenSSL 3), libgit2 >= 1.5" >&2
	echo "  Debian: $debian" >&2
	echo "  Fedora: gcc make pkgconf cjson-devel libyaml-devel libcurl-devel openssl-devel libgit2-devel git" >&2
	echo "  Alpine: build-base pkgconf cjson-dev yaml-dev curl-dev openssl-dev libgit2-dev git" >&2
	exit 2
fi
sudo=
if [ "$(id -u)" != 0 ]; then
	if ! command -v sudo >/dev/null; then
		echo "run this as root, then again: apt-get install -y $debian" >&2
		exit 2
	fi
	sudo=sudo
fi
echo "► installing what the build needs: $debian" >&2
$sudo apt-get update -qq
# shellcheck disable=SC2086
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $debian >/dev/null
echo "✔ installed" >&2
