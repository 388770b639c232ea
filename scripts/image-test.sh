#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# image-test.sh ROOT PERCH-TEST PERCH [git]: the image's tree run as a node runs it: user 65532 without privileges,
# a read-only root, an emptyDir on /tmp and nothing else: no shell, no /proc, no nsswitch.conf. It must say
# what PERCH, the dynamic one, says. Needs root, for mounts of its own; without them it exits 77. `git` where
# the image is built with Git.
set -eu
root=$(realpath "$1") tester=$(realpath "$2") dynamic=$(realpath "$3") git=${4:-}
incident=$(realpath "$(dirname "$0")/../testdata/incident")
if [ -z "${PLACE:-}" ]; then
	unshare --mount true 2>/dev/null || { echo "image-test: mount namespaces are not permitted here" >&2; exit 77; }
	place=$(mktemp -d)
	code=0
	PLACE=$place unshare --mount --propagation private "$0" "$@" || code=$?
	rmdir "$place"
	exit $code
fi

# All that follows is in a tmpfs, which goes with this namespace: nothing is ever removed by hand.
work=$PLACE
mount -t tmpfs -o mode=755 tmpfs "$work"
fail() { echo "not ok - image: $*"; exit 1; }
ok() { echo "ok - image: $*"; }

# What a node puts there: mounts need a place, which a read-only root gets before it is one.
node=$work/root
mkdir "$node" "$work/etc"
mount --bind "$root" "$node"
cp -r "$root/etc/." "$work/etc/"
mkdir "$work/etc/data"
printf 'nameserver 127.53.0.1\nsearch shop.svc.cluster.local svc.cluster.local cluster.local\noptions ndots:5\n' >"$work/etc/resolv.conf"
mount --bind "$work/etc" "$node/etc"
mount --bind "$incident" "$node/etc/data"
mount -o remount,bind,ro "$node/etc/data"
mount -o remount,bind,ro "$node/etc"
mount -o remount,bind,ro "$node"
mount -t tmpfs -o mode=1777,size=16m tmpfs "$node/tmp"
cat >"$work/perch" <<-SH
	#!/bin/sh
	exec setpriv --no-new-privs env -i HOME=/tmp TZ=UTC $(command -v chroot) --userspec=65532:65532 "$node" /usr/bin/perch "\$@"
SH
chmod 755 "$work/perch"
perch() { "$work/perch" "$@"; }

[ -z "$(find "$root" -type f -perm /111 ! -path "$root/usr/bin/perch")" ] || fail "it holds another program than perch"
[ -z "$(find "$root" ! -user 0 -o -perm /6000)" ] || fail "it holds a file that isn't root's, or is setuid"
[ -z "$(readelf -d "$root/usr/bin/perch" | grep NEEDED)" ] || fail "perch needs a library"
readelf -l "$root/usr/bin/perch" | grep -q INTERP && fail "perch needs a loader"
readelf -h "$root/usr/bin/perch" | grep -q 'DYN' || fail "perch is no position-independent program"
ok "one program, static, position-independent, and no shell"

perch version | head -1 | grep -q '^perch ' || fail "perch version"
touch "$node/x" 2>/dev/null && fail "its root can be written"
perch plan --live /etc/data/cluster.json -f /etc/data/repo/head/shop -n shop >"$work/got" 2>&1 && fail "plan found nothing"
(cd "$incident" && "$dynamic" plan --live cluster.json -f repo/head/shop -n shop) >"$work/want" 2>&1 || :
sed -i 's|/etc/data/||g' "$work/got"
diff -u "$work/want" "$work/got" || fail "plan says something else than the dynamic perch"
cat "$incident/cluster.json" | perch predict --to 1.38 --live - >"$work/got" 2>&1 || [ $? = 1 ] || fail "a dump on standard input: $(cat "$work/got")"
[ -z "$(ls -A "$node/tmp")" ] || fail "it left something in /tmp"
ok "verdicts as user 65532 on a read-only root, from files and from standard input"

umount "$node/tmp"
cat "$incident/cluster.json" | perch predict --to 1.38 --live - >"$work/got" 2>&1 && fail "without a /tmp it says nothing"
[ "$(wc -l <"$work/got")" = 1 ] && grep -q '^✗ .*/tmp' "$work/got" || fail "without a /tmp: $(cat "$work/got")"
mount -t tmpfs -o mode=1777,size=16m tmpfs "$node/tmp"
ok "without a /tmp one line says so"

# The names are those of `perch-test dns`. kubernetes.default.svc has two dots: with ndots:5 the search domains come first.
cat >"$work/exchange" <<-'EXCHANGE'
	GET /version
	  200 {"gitVersion":"v1.36.3"}
	GET /apis/apps/v1/deployments
	  200 {"items":[]}
	GET /apis/flagger.app/v1beta1/namespaces/shop/canaries
	  403 "canaries.flagger.app is forbidden"
EXCHANGE
cat >"$work/ask" <<-SH
	#!/bin/sh
	port=\${PERCH_TEST_SERVER##*:}
	printf 'apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {server: "http://%s:%s"}}]\ncontexts: [{name: c, context: {cluster: c}}]\ncurrent-context: c\n' \$1 \$port >$node/tmp/config
	exec "$work/perch" status -n shop --kubeconfig /tmp/config --timeout 10s
SH
chmod +x "$work/ask"
ask() { # HOST: sets code
	code=0
	"$tester" dns 127.53.0.1 kubernetes.default.svc.cluster.local=127.0.0.1 api.example=127.0.0.1 -- \
		"$tester" serve "$work/exchange" "$work/ask" "$1" >"$work/got" 2>&1 || code=$?
}
ask kubernetes.default.svc
[ $code != 77 ] || { echo "ok - image: names # SKIP $(cat "$work/got")"; exit 0; }
[ $code = 4 ] && grep -q '^GET /apis/' "$work/got" || fail "kubernetes.default.svc wasn't reached (exit $code): $(cat "$work/got")"
grep -qx kubernetes.default.svc.cluster.local "$work/got" && grep -qx kubernetes.default.svc.shop.svc.cluster.local "$work/got" ||
	fail "the search domains weren't tried: $(cat "$work/got")"
ask api.example
[ $code = 4 ] && grep -qx api.example "$work/got" || fail "api.example wasn't reached (exit $code): $(cat "$work/got")"
ask nowhere.example
[ $code = 3 ] || fail "a name that doesn't exist: exit $code: $(cat "$work/got")"
ok "names: DNS with search domains and ndots, and no nsswitch.conf"

[ "$git" = git ] || exit 0
(
	export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@example.com GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@example.com
	git init -q --bare -b main "$node/tmp/repo.git"
	in_repo() { git --git-dir="$node/tmp/repo.git" -c core.bare=false --work-tree="$incident/repo/head" "$@"; }
	in_repo add -A . && in_repo commit -q -m head
)
chmod -R a+rX "$node/tmp/repo.git"
perch plan --live /etc/data/cluster.json --git /tmp/repo.git --rev main --path shop -n shop >"$work/got" 2>&1 || [ $? = 1 ] || fail "plan --git: $(cat "$work/got")"
grep -q 'shop/cart.yaml:' "$work/got" || fail "plan --git names no line: $(cat "$work/got")"
ok "a commit of a Git repository"
