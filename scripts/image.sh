#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The image of a static perch, without a container engine and from Debian's packages alone.
#   image.sh tree PERCH ROOT         its file system
#   image.sh pack ROOT TAG OUT.tar   that as one reproducible tar, an OCI image layout that `docker load` reads, too
# The tree holds perch, CA certificates, a user without rights, /tmp, and what perch is made of; no shell,
# no library. Fails over 20 MB. SOURCE_DATE_EPOCH may say of when it is; else the last commit does.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/packaging/version.sh"
MAX_BYTES=20000000

tree() { # PERCH ROOT
	rm -rf "$2"
	mkdir -p "$2/usr/bin" "$2/etc/ssl/certs" "$2/tmp" "$2/usr/share/doc/perch"
	chmod 1777 "$2/tmp"
	strip -o "$2/usr/bin/perch" "$1"
	chmod 755 "$2/usr/bin/perch"
	# The package's, not this machine's: an administrator may have added some here.
	LC_ALL=C cat /usr/share/ca-certificates/mozilla/*.crt >"$2/etc/ssl/certs/ca-certificates.crt"
	printf 'root:x:0:0::/:/sbin/nologin\nnonroot:x:65532:65532::/tmp:/sbin/nologin\n' >"$2/etc/passwd"
	printf 'root:x:0:\nnonroot:x:65532:\n' >"$2/etc/group"
	cp "$here/LICENSE" "$2/usr/share/doc/perch/"
	NAME=perch-$VERSION-image "$here/packaging/sbom.sh" "$1" "$2/usr/share/doc/perch" ca-certificates
}

reproducible_tar() { # FOLDER
	tar -C "$1" --format=ustar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - .
}
digest() { sha256sum "$1" | cut -d' ' -f1; }
blob() { # FILE: into the layout; prints its digest
	to=$(digest "$1")
	mv "$1" "$layout/blobs/sha256/$to"
	echo "$to"
}
descriptor() { # TYPE DIGEST
	printf '{"mediaType":"application/vnd.oci.image.%s","digest":"sha256:%s","size":%s' "$1" "$2" "$(stat -c %s "$layout/blobs/sha256/$2")"
}

pack() { # ROOT TAG OUT
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	layout=$work/oci
	mkdir -p "$layout/blobs/sha256"
	architecture=$(dpkg --print-architecture)
	created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
	reproducible_tar "$1" >"$work/layer.tar"
	bytes=$(stat -c %s "$work/layer.tar") content=$(digest "$work/layer.tar")
	[ "$bytes" -le $MAX_BYTES ] || { echo "✗ image $2: $bytes bytes, more than $MAX_BYTES" >&2; exit 1; }
	gzip -n9 "$work/layer.tar"
	layer=$(blob "$work/layer.tar.gz")
	cat >"$work/config" <<-JSON
	{"created":"$created","architecture":"$architecture","os":"linux","config":{"User":"65532:65532","Env":["PATH=/usr/bin","HOME=/tmp"],"Entrypoint":["/usr/bin/perch"],"WorkingDir":"/","Labels":{"org.opencontainers.image.title":"perch","org.opencontainers.image.description":"tells real changes of Flagger canaries from noise","org.opencontainers.image.version":"$VERSION","org.opencontainers.image.licenses":"Apache-2.0","org.opencontainers.image.created":"$created"}},"rootfs":{"type":"layers","diff_ids":["sha256:$content"]},"history":[{"created":"$created","created_by":"scripts/image.sh"}]}
	JSON
	config=$(blob "$work/config")
	printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":%s},"layers":[%s}]}' \
		"$(descriptor config.v1+json "$config")" "$(descriptor layer.v1.tar+gzip "$layer")" >"$work/manifest"
	manifest=$(blob "$work/manifest")
	printf '{"schemaVersion":2,"mediaType":"application/vnd.oci.image.index.v1+json","manifests":[%s,"platform":{"architecture":"%s","os":"linux"},"annotations":{"io.containerd.image.name":"%s","org.opencontainers.image.ref.name":"%s"}}]}' \
		"$(descriptor manifest.v1+json "$manifest")" "$architecture" "$2" "${2#*:}" >"$layout/index.json"
	printf '{"imageLayoutVersion":"1.0.0"}' >"$layout/oci-layout"
	printf '[{"Config":"blobs/sha256/%s","RepoTags":["%s"],"Layers":["blobs/sha256/%s"]}]' "$config" "$2" "$layer" >"$layout/manifest.json"
	reproducible_tar "$layout" >"$3"
	echo "✔ $3: image $2, $((bytes / 1000)) kB ($(($(stat -c %s "$3") / 1000)) kB packed), sha256:$manifest" >&2
}

case ${1:-} in
tree) tree "$2" "$3" ;;
pack) pack "$2" "$3" "$4" ;;
*) sed -n '3,7s/^# //p' "$0" >&2; exit 2 ;;
esac
