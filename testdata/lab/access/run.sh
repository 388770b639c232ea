#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Do kubectl and perch agree on what a kubeconfig says? For each of a table of them both ask a real API
# server who they are: both are let in as the same user with the same groups and extras, or neither is.
# Where neither is, perch says so in one line without a secret. Prints a count.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../check.sh"
[ -n "${1:-}${PERCH_TEST:-}" ] || make -C "$root" build/perch-test >&2
in_lab api '' "$@"
tool access/proxy
work=$scratch
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$scratch"' EXIT
export KUBECACHEDIR=$work/cache HOME=$work/home
unset KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT HTTPS_PROXY https_proxy HTTP_PROXY http_proxy NO_PROXY no_proxy
# What the next row has `perch-test whoami` do, and what happens while it does.
operands=ask meanwhile=

admin() { kubectl --kubeconfig "$LAB_RUN/kubeconfig" "$@"; }
canonical() { "$perch_test" json "$1"; }

# --- who there is

cd "$work"
mkdir -p home sub/pki plugins
port=${LAB_SERVER##*:}
authority=$(base64 -w0 <"$LAB_CA")
certificate() { # NAME SUBJECT DAYS
	openssl req -newkey rsa:2048 -nodes -subj "$2" -keyout "sub/pki/$1.key" -out csr 2>/dev/null
	openssl x509 -req -days "$3" -in csr -CA "$LAB_CA" -CAkey "$LAB_RUN/ca.key" -CAcreateserial -CAserial serial \
		-out "sub/pki/$1.crt" 2>/dev/null
}
certificate jane /O=team:a/O=team:b/CN=jane 30
certificate john /CN=john 30
certificate late /CN=late -1
openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=lab-ca -keyout sub/pki/other-ca.key -out sub/pki/other-ca.crt 2>/dev/null
openssl rsa -aes128 -passout pass:secret -in sub/pki/jane.key -out sub/pki/locked.key 2>/dev/null
cp "$LAB_CA" sub/pki/ca.crt
data() { base64 -w0 <"sub/pki/$1"; }
for account in one two; do
	admin create serviceaccount "$account" >/dev/null
	admin create token "$account" >"$account.token"
done
one=$(cat one.token) two=$(cat two.token)
cp one.token sub/token
admin create clusterrole imitator --verb=impersonate --resource=users,groups,serviceaccounts >/dev/null
admin create clusterrolebinding jane --clusterrole=imitator --user=jane >/dev/null
admin create clusterrolebinding admins --clusterrole=cluster-admin --user=john >/dev/null
secrets=$(printf '%s|' "$one" "$two" "$(data jane.key)" "$(data john.key)")hunter2

# --- asking both

ask_kubectl() { WHO=kubectl kubectl "$@" auth whoami -o jsonpath='{.status.userInfo}' >kubectl.out 2>kubectl.err </dev/null; }
ask_perch() {
	[ -z "$meanwhile" ] || eval "$meanwhile" &
	# shellcheck disable=SC2086
	WHO=perch "$perch_test" whoami "$@" $operands >perch.out 2>perch.err </dev/null
}

fault() { # NAME WHAT
	not_ok "$1: $2"
	sed 's/^/    kubectl: /' kubectl.out kubectl.err
	sed 's/^/    perch: /' perch.out perch.err
}

# Were both let in (in), neither (out), or, where kubectl does without on purpose, perch alone (perch)?
agree() { # NAME in|out|perch ARG...
	local name=$1 want=$2 kubectl=out perch=out
	shift 2
	ask_kubectl "$@" && kubectl=in
	ask_perch "$@" && perch=in
	operands=ask meanwhile=
	if [ "$want" = perch ]; then
		[ $kubectl-$perch = out-in ] || { fault "$name" "kubectl $kubectl, perch $perch"; return; }
	elif [ $kubectl != "$want" ] || [ $perch != "$want" ]; then
		fault "$name" "wanted $want: kubectl $kubectl, perch $perch"
		return
	elif [ "$want" = in ] && [ "$(canonical kubectl.out)" != "$(sort -u perch.out)" ]; then
		fault "$name" "as different users"
		return
	elif [ "$want" = out ] && [ "$(grep -c '^✗ ' perch.err)" != 1 ]; then
		fault "$name" "not one line"
		return
	fi
	if grep -qE "$secrets" perch.err; then
		fault "$name" "a secret is shown"
		return
	fi
	pass
}

# The same for the kubeconfig on standard input, which stands in sub/.
same() { # NAME in|out|perch ARG...
	cat >sub/config
	agree "$@" --kubeconfig sub/config
}

# A user of the lab's cluster.
user() { # NAME in|out|perch USER [ARG]...
	local name=$1 want=$2 user=$3
	shift 3
	same "$name" "$want" "$@" <<-K
	clusters: [{name: lab, cluster: {server: "$LAB_SERVER", certificate-authority: pki/ca.crt}}]
	users:
	- name: me
	  user: {$user}
	contexts: [{name: lab, context: {cluster: lab, user: me}}]
	current-context: lab
	K
}

# A cluster, to jane.
cluster() { # NAME in|out CLUSTER
	same "$1" "$2" <<-K
	clusters:
	- name: lab
	  cluster: {$3}
	users: [{name: jane, user: {client-certificate: pki/jane.crt, client-key: pki/jane.key}}]
	contexts: [{name: lab, context: {cluster: lab, user: jane}}]
	current-context: lab
	K
}

# A plugin's answer; the plugin notes that it ran, and what it was told.
plugin() { # NAME in|out|perch EXEC-FIELDS [ANSWER]...: a run for each, the last for all that come after
	local name=$1 want=$2 fields=$3 i=0
	shift 3
	rm -rf plugins
	mkdir -p plugins
	for answer; do
		i=$((i + 1))
		printf '%s\n' "$answer" >"plugins/$i"
	done
	cat >plugins/run <<-'X'
	#!/bin/sh
	# A set of answers for each of the two that ask.
	cd "$(dirname "$0")" || exit
	n=$(($(cat "runs-$WHO" 2>/dev/null || echo 0) + 1))
	echo $n >"runs-$WHO"
	echo "$KUBERNETES_EXEC_INFO" >"info-$WHO"
	while [ $n -gt 1 ] && [ ! -f $n ]; do n=$((n - 1)); done
	cat $n
	X
	chmod +x plugins/run
	cat >sub/config <<-K
	clusters:
	- name: lab
	  cluster:
	    server: "$LAB_SERVER"
	    certificate-authority: pki/ca.crt
	    tls-server-name: kubernetes.default.svc
	    extensions: [{name: client.authentication.k8s.io/exec, extension: {audience: "06e3", list: [1, 2.5, null]}}]
	users:
	- name: me
	  user: {exec: {$fields}}
	contexts: [{name: lab, context: {cluster: lab, user: me}}]
	current-context: lab
	K
	agree "$name" "$want" --kubeconfig sub/config
}
runs() { is "$1" "$2" "$(cat plugins/runs-perch)"; } # NAME N: how often perch ran the plugin
told_alike() { # NAME: by KUBERNETES_EXEC_INFO
	canonical plugins/info-kubectl >told-kubectl
	canonical plugins/info-perch >told-perch
	same_files "$1" told-kubectl told-perch
}
credential() { # VERSION STATUS
	echo "{\"apiVersion\":\"client.authentication.k8s.io/$1\",\"kind\":\"ExecCredential\",\"status\":{$2}}"
}

for table in "$here"/*.rows.sh; do . "$table"; done

finish
