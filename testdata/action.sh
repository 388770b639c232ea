# SPDX-License-Identifier: Apache-2.0
# hooks/ci/action.sh as a runner calls it for action.yml, with these inputs: `action NAME=VALUE…`, and a
# release to download: `release` makes one of the perch that is tested, below $T/releases.
. ../../runner.sh
export GITHUB_ACTION_PATH="$(cd ../../.. && pwd)" RUNNER_TEMP=$T/temp GITHUB_ACTION_REF= GITHUB_ACTION_REPOSITORY=
mkdir -p $RUNNER_TEMP
shop=../../shop
command -v bash >/dev/null && command -v curl >/dev/null || { echo "no bash or no curl here" >&2; exit 77; }

action() {
	: >$T/output
	: >$T/summary
	code=0
	env "$@" bash --noprofile --norc -eo pipefail "$GITHUB_ACTION_PATH/hooks/ci/action.sh" >$T/log 2>&1 || code=$?
	sed "s#$T#T#g; s/perch-[0-9a-f]\{32\}/TOKEN/; s/127.0.0.1:[0-9]*/HOST/" $T/log
	echo "exit $code"
	ls -A "$RUNNER_TEMP"
}

case $(uname -m) in aarch64 | arm64) arch=arm64 ;; *) arch=amd64 ;; esac
archive=perch-9.9.9-linux-$arch.tar.gz
release() {
	mkdir -p $T/perch-9.9.9 $T/releases/v9.9.9
	cp "$(command -v perch)" $T/perch-9.9.9/
	tar -C $T -czf $T/releases/v9.9.9/$archive perch-9.9.9
	(cd $T/releases/v9.9.9 && sha256sum $archive >checksums.txt)
}
