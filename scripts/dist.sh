#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# dist.sh OUT: what a release is made of, in OUT, the same bytes each time:
#   perch-VERSION-linux-ARCH.tar.gz        the static perch, its manual, completions, hooks and licences
#   perch-VERSION-image-linux-ARCH.tar     the hooks' image, perch:VERSION (without Git)
#   perch-VERSION-git-image-linux-ARCH.tar CI's image, perch:VERSION-git
#   *.spdx.json                            what each of them is made of
#   perch-VERSION.tar.gz                   the source of the last commit
#   krew.yaml, flux-plugin.yaml            for the plugin indexes, with the checksum of the first
#   checksums.txt                          of all of them, for sha256sum -c
# BASE_URL is where the release will be found. Needs Debian, as static perches do.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/packaging/version.sh"
: "${BASE_URL:=https://example.com/perch/releases/download/v$VERSION}"
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$here"
architecture=$(dpkg --print-architecture)
name=perch-$VERSION-linux-$architecture
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -f "$out"/*

# Without -g: debug information would name the folder that it was built in.
perch() { make -s -j2 STATIC=1 GIT="$1" CFLAGS=-O2 B="build-dist$2" >&2; }
perch 1 ''
perch 0 -nogit

packed() { # FOLDER: a folder of $work as NAME.tar.gz
	tar -C "$work" --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$1" |
		gzip -n9 >"$out/$1.tar.gz"
}
tree=$work/$name
mkdir -p "$tree/completions" "$tree/man"
strip -o "$tree/perch" build-dist/perch
ln -s perch "$tree/kubectl_complete-perch"
cp LICENSE README.md "$tree/"
cp man/*.1 "$tree/man/"
cp -r hooks docs "$tree/"
"$tree/perch" completion bash >"$tree/completions/perch.bash"
"$tree/perch" completion zsh >"$tree/completions/_perch"
"$tree/perch" completion fish >"$tree/completions/perch.fish"
NAME=$name packaging/sbom.sh build-dist/perch "$tree"
cp "$tree/sbom.spdx.json" "$out/$name.spdx.json"
chmod -R u=rwX,go=rX "$tree"
packed "$name"

image() { # BUILD SUFFIX
	scripts/image.sh tree "$1/perch" "$work/root$2"
	scripts/image.sh pack "$work/root$2" "perch:$VERSION$2" "$out/perch-$VERSION$2-image-linux-$architecture.tar"
	cp "$work/root$2/usr/share/doc/perch/sbom.spdx.json" "$out/perch-$VERSION$2-image-linux-$architecture.spdx.json"
}
image build-dist-nogit ''
image build-dist -git

if git rev-parse -q --verify HEAD >/dev/null 2>&1; then
	git diff --quiet HEAD || echo "⚠ the source tarball is the last commit's, and there are changes since" >&2
	git archive --format=tar --prefix="perch-$VERSION/" HEAD | gzip -n9 >"$out/perch-$VERSION.tar.gz"
else
	echo "⚠ no source tarball: this is no Git repository" >&2
fi

sha=$(sha256sum "$out/$name.tar.gz" | cut -d' ' -f1)
for index in krew flux-plugin; do
	sed "s|@VERSION@|$VERSION|g; s|@ARCH@|$architecture|g; s|@SHA256@|$sha|g; s|@BASE_URL@|$BASE_URL|g" \
		"packaging/$index.yaml.in" >"$out/$index.yaml"
done
(cd "$out" && rm -f checksums.txt && LC_ALL=C sha256sum -- * >"$work/checksums" && mv "$work/checksums" checksums.txt)
(cd "$out" && stat -c '%s %n' -- * | awk '{ printf "  %9d  %s\n", $1, $2 }') >&2
