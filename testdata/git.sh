# SPDX-License-Identifier: Apache-2.0
# Repositories for cases, in $T: `repo NAME` one of a workload with two commits, `tree NAME` a commit of
# the tree that standard input lists as git-mktree(1) reads it, `smart NAME` an exchange that serves it over
# http, recorded from git itself, `served ARGS` perch hash on it with the requests that came.
repo() {
	git init -q $T/$1
	mkdir -p $T/$1/deploy
	cp ../bare/web.yaml $T/$1/deploy/web.yaml
	git -C $T/$1 add .
	git -C $T/$1 commit -qm one
	git -C $T/$1 tag v1
	sed -i s/web:1.0.0/web:1.0.1/ $T/$1/deploy/web.yaml
	git -C $T/$1 commit -qam two
}

tree() {
	[ -e $T/$1 ] || git init -q --bare $T/$1
	id=$(git -C $T/$1 mktree --missing)
	git -C $T/$1 update-ref HEAD $(git -C $T/$1 commit-tree -m tree $id)
}

packet() { printf '%04x%s\n' $((${#1} + 5)) "$1"; }

smart() {
	head=$(git -C $T/$1 rev-parse HEAD)
	{
		packet '# service=git-upload-pack'
		printf 0000
		git -C $T/$1 upload-pack --stateless-rpc --advertise-refs .
	} >$T/refs
	{
		packet "want $head side-band-64k ofs-delta"
		git -C $T/$1 for-each-ref --format='%(objectname)' | sort -u | grep -v $head | while read -r id; do
			packet "want $id"
		done
		printf 0000
		packet 'done'
	} | git -C $T/$1 upload-pack --stateless-rpc . >$T/pack
	cat >$T/exchange <<END
GET /repo.git/info/refs?service=git-upload-pack
  ${2:-}
  200 type=application/x-git-upload-pack-advertisement refs
POST /repo.git/git-upload-pack
  200 type=application/x-git-upload-pack-result pack
END
	sed -i '/^ *$/d' $T/exchange
}

served() {
	code=0
	mkdir -p $T/tmp
	TMPDIR=$T/tmp perch-test serve --show authorization $T/exchange -- \
		sh -c 'url=$PERCH_TEST_SERVER; perch hash -o tsv --git $url/repo.git "$@"' sh "$@" >$T/out 2>&1 || code=$?
	sed "s#127.0.0.1:[0-9]*#HOST#g; s#$T#T#g; s/ application.x-git-upload-pack-request .*//" $T/out
	echo "exit $code"
	ls -A $T/tmp
}
