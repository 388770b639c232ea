#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What a static perch needs and Debian has no static library of: a libcurl of HTTP alone (Debian's drags
# in Kerberos, LDAP, RTMP and SSH) and cJSON, both from Debian's own sources in the versions of the -dev
# packages that the dynamic perch is built with, and a GSSAPI without a mechanism for Debian's libgit2.a.
# Prints the folder that has them: lib/, licenses/ and sources.tsv (name, version). A folder is kept
# by the hash of all that goes into it, in ${PERCH_STATIC_CACHE:-~/.cache/perch-static}; cold it takes a
# minute. Exit 77: no sources are to be had here, and why.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cache=${PERCH_STATIC_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/perch-static}
packages="libyaml-dev libcjson-dev libcurl4-openssl-dev libssl-dev libnghttp2-dev zlib1g-dev libgit2-dev libssh2-1-dev
	libmbedtls-dev libhttp-parser-dev libpcre2-dev ca-certificates dpkg-dev xz-utils"

none() { echo "static: $*" >&2; exit 77; }
version() { dpkg-query -W -f '${db:Status-Status} ${Version}' "$1" 2>/dev/null | sed -n 's/^installed //p'; }

command -v apt-get >/dev/null || none "a static perch is built from Debian's packages, and this is no Debian"
for p in $packages; do [ -n "$(version "$p")" ] || missing="${missing:-}$p "; done
if [ -n "${missing:-}" ]; then
	[ "$(id -u)" = 0 ] || none "run this as root first: apt-get install -y $missing"
	echo "► installing what a static build needs: $missing" >&2
	apt-get update -qq >&2 || none "apt-get update failed"
	# shellcheck disable=SC2086
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 ||
		none "apt-get can't install $missing"
fi

curl=$(version libcurl4-openssl-dev) cjson=$(version libcjson-dev) cc=${CC:-cc}
key=$({ cat "$0" "$here/gssapi.c" && echo "$curl $cjson" && $cc --version; } | sha256sum | cut -c1-16)
out=$cache/$key
if [ -f "$out/sources.tsv" ]; then
	echo "$out"
	exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# apt lists sources only of places that say deb-src, which few machines do: the same places, asked here alone.
private="-o Dir::Etc::SourceList=$work/sources.list -o Dir::Etc::SourceParts=$work/none -o Dir::State::Lists=$work/lists
	-o Dir::Cache=$work -o APT::Sandbox::User=$(id -un)"
places() { apt-get indextargets --format 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(RELEASE) $(COMPONENT)' \
	'Created-By: Packages' 'Origin: Debian' | sort -u; }
[ -n "$(places)" ] || apt-get update -qq >&2 || none "apt-get update failed"
places >"$work/sources.list"
mkdir -p "$work/lists/partial" "$work/none"
cd "$work"
echo "► building libcurl $curl and cJSON $cjson for a static perch" >&2
# shellcheck disable=SC2086
apt-get $private update -qq >&2 && apt-get $private source -qq --download-only "curl=$curl" "cjson=$cjson" >"$work/log" 2>&1 ||
	none "Debian's sources of curl $curl and cjson $cjson are not to be had: $(tail -n 1 "$work/log" 2>/dev/null)"
# apt checked them against the archive's signature.
dpkg-source --no-check -x curl_*.dsc curl >/dev/null 2>&1
dpkg-source --no-check -x cjson_*.dsc cjson >/dev/null 2>&1

built() { "$@" >>"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; echo "static: '$*' failed" >&2; exit 1; }; }
flags="-O2 -fPIE -fstack-protector-strong -D_FORTIFY_SOURCE=2 -ffunction-sections -fdata-sections"
new=$work/new
mkdir -p "$new/lib" "$new/licenses" curl-build
(cd curl-build && built ../curl/configure CC="$cc" CFLAGS="$flags" AUTOCONF=: AUTOMAKE=: ACLOCAL=: AUTOHEADER=: \
	--disable-shared --disable-dependency-tracking --disable-manual --disable-libcurl-option \
	--with-openssl --with-nghttp2 --with-zlib --with-ca-bundle=/etc/ssl/certs/ca-certificates.crt --without-ca-path \
	--without-brotli --without-zstd --without-libidn2 --without-libpsl --without-librtmp --without-libssh2 \
	--without-libgsasl --without-gssapi --disable-ntlm --disable-tls-srp --disable-openssl-auto-load-config \
	--disable-ftp --disable-file --disable-ldap --disable-ldaps --disable-rtsp --disable-dict --disable-telnet \
	--disable-tftp --disable-pop3 --disable-imap --disable-smb --disable-smtp --disable-gopher --disable-mqtt \
	--disable-unix-sockets --disable-cookies --disable-netrc --disable-alt-svc --disable-hsts --disable-doh &&
	built make -j2 -C lib libcurl.la)
cp curl-build/lib/.libs/libcurl.a "$new/lib/"
for c in cjson/cJSON.c "$here/gssapi.c"; do
	o=$(basename "$c" .c)
	# shellcheck disable=SC2086
	built $cc $flags -c -o "$o.o" "$c"
	ar rcsD "$new/lib/lib$(echo "$o" | tr A-Z a-z).a" "$o.o"
done
cp curl/debian/copyright "$new/licenses/curl"
cp cjson/debian/copyright "$new/licenses/cjson"
printf 'curl\t%s\ncjson\t%s\n' "$curl" "$cjson" >"$new/sources.tsv"
mkdir -p "$cache"
rm -rf "$out"
mv "$new" "$out"
echo "$out"
