#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# sbom.sh PERCH OUT [PACKAGE…]: what a static perch is made of, told by its link map (PERCH.map) and dpkg:
# OUT/sbom.spdx.json (SPDX 2.3) and OUT/licenses/, the licences of all that is linked in. PACKAGE: what an
# image holds besides. NAME, of the document, comes from the environment.
set -eu
perch=$1 out=$2
shift 2
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/packaging/version.sh"
static=$("$here/packaging/static.sh")
distro=$(. /etc/os-release && echo "$ID-$VERSION_ID")
mkdir -p "$out/licenses"

# The archives that gave members, and the package of each.
archives() { awk '/^Memory Configuration/ { exit } match($0, /^[^ ]+\.a\(/) { print substr($0, 1, RLENGTH - 1) }' "$perch.map" |
	sort -u | xargs realpath | sort -u; }
linked() {
	archives | while read -r archive; do
		case $archive in
		"$static"/lib/libgssapi.a | */perch.a) ;; # perch's own
		"$static"/lib/lib*.a)
			name=$(basename "$archive" .a)
			awk -v n="${name#lib}" '$1 == n { print n "\t" $2 "\t" n "\tsource" }' "$static/sources.tsv"
			;;
		*) dpkg-query -S "$archive" | sed 's/[:,].*//' ;;
		esac
	done | sort -u | while read -r name rest; do
		if [ -n "$rest" ]; then printf '%s\t%s\n' "$name" "$rest"; else package "$name"; fi
	done
}
package() { dpkg-query -W -f '${Package}\t${Version}\t${source:Package}\t${Architecture}\n' "$1"; }
license() { # SOURCE: gcc-12 is gcc
	awk -F '\t' -v s="$(echo "$1" | sed -E 's/^gcc-[0-9]+$/gcc/')" '$1 == s { print $2; found = 1 } END { exit !found }' \
		"$here/packaging/licenses.tsv" || { echo "sbom: no licence is known of $1, add it to packaging/licenses.tsv" >&2; exit 1; }
}
keep_license() { # NAME ARCH
	from=/usr/share/doc/$1/copyright
	[ "$2" != source ] || from=$static/licenses/$1
	cp "$from" "$out/licenses/$1"
	for common in $(grep -oE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$from" | sort -u); do
		[ ! -f "$common" ] || cp "$common" "$out/licenses/"
	done
}

parts=$(mktemp)
trap 'rm -f "$parts"' EXIT
linked | sed 's/$/\tSTATIC_LINK/' >"$parts"
for p in "$@"; do package "$p" | sed 's/$/\tCONTAINS/'; done >>"$parts"
[ "$(grep -c STATIC_LINK "$parts")" -ge 6 ] || { echo "sbom: $perch.map names too few libraries" >&2; exit 1; }

sha=$(sha256sum "$perch" | cut -d' ' -f1)
created=$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
purl() { echo "$1" | sed 's/+/%2B/g; s/:/%3A/g'; }
{
	cat <<-JSON
	{
	  "spdxVersion": "SPDX-2.3",
	  "dataLicense": "CC0-1.0",
	  "SPDXID": "SPDXRef-DOCUMENT",
	  "name": "$NAME",
	  "documentNamespace": "https://perch.dev/spdx/$NAME-$sha",
	  "creationInfo": {"created": "$created", "creators": ["Tool: perch-sbom-$VERSION", "Organization: perch"]},
	  "documentDescribes": ["SPDXRef-perch"],
	  "packages": [
	    {"SPDXID": "SPDXRef-perch", "name": "perch", "versionInfo": "$VERSION", "downloadLocation": "NOASSERTION",
	     "filesAnalyzed": false, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0", "copyrightText": "NOASSERTION",
	     "checksums": [{"algorithm": "SHA256", "checksumValue": "$sha"}], "primaryPackagePurpose": "APPLICATION"}
	JSON
	while IFS='	' read -r name version source arch _; do
		id=$(license "$source") || exit 1
		keep_license "$name" "$arch"
		upstream="&upstream=$source"
		[ "$arch" != source ] || upstream=
		cat <<-JSON
		    ,{"SPDXID": "SPDXRef-$(echo "$name" | tr -c 'a-zA-Z0-9.\n' -)", "name": "$name", "versionInfo": "$version", "downloadLocation": "NOASSERTION",
		     "filesAnalyzed": false, "licenseConcluded": "NOASSERTION", "licenseDeclared": "$id", "copyrightText": "NOASSERTION",
		     "sourceInfo": "built from Debian's source package $source",
		     "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
		       "referenceLocator": "pkg:deb/debian/$(purl "$name")@$(purl "$version")?arch=$arch&distro=$distro$upstream"}]}
		JSON
	done <"$parts"
	echo '  ],'
	echo '  "relationships": ['
	echo '    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": "SPDXRef-perch"}'
	while IFS='	' read -r name _ _ _ how; do
		echo "    ,{\"spdxElementId\": \"SPDXRef-perch\", \"relationshipType\": \"$how\", \"relatedSpdxElement\": \"SPDXRef-$(echo "$name" | tr -c 'a-zA-Z0-9.\n' -)\"}"
	done <"$parts"
	echo '  ]'
	echo '}'
} >"$out/sbom.spdx.json"
