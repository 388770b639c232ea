#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a recorded server can't show, against a real API server: HTTP/2 on one connection, who is
# trusted, client certificates, tls-server-name, proxies, tokens that rotate, and that the rule which
# a 403 names is the one that was missing. Prints a count.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../check.sh"
[ -n "${1:-}${PERCH_TEST:-}" ] || make -C "$root" build/perch-test >&2
in_lab api '' "$@"
port=${LAB_SERVER##*:}
ok='^GET /version: 200 '
touch "$scratch/nothing"

answers() { # NAME CODE PATTERN COMMAND...: an extended one, of a line of either output
	local code=0
	"${@:4}" >"$scratch/out" 2>&1 || code=$?
	if [ $code != "$2" ]; then not_ok "$1: exit $code, wanted $2" "$scratch/out"; else ok "$1" matches "$3"; fi
}
matches() { grep -qE -- "$1" "$scratch/out" || { echo "no '$1' in:"; cat "$scratch/out"; return 1; }; }
count() { is "$1" "$2" "$(grep -cE -- "$3" "$scratch/out" || true)"; } # NAME N PATTERN: in what the last one printed
api() { "$perch_test" api --retries 0 --server "$LAB_SERVER" "$@"; }
trusting() { api --ca "$LAB_CA" "$@"; }
admin() { trusting --cert "$LAB_CERT" --key "$LAB_KEY" "$@"; }
through() { "$perch_test" serve --tunnel "$port" "$scratch/nothing" "$@"; }

# --- one connection
many=()
for i in $(seq 30); do many+=("GET /api/v1/namespaces/default?n=$i"); done
answers "30 side by side" 0 '^30 requests' admin --trace --together "${many[@]}"
count "all by HTTP/2" 30 ', HTTP/2'
count "on one connection" 1 'new connection'
answers "one after another" 0 '^3 requests' admin --trace 'GET /version' 'LIST /api/v1/namespaces' \
	'POST /api/v1/namespaces/default/serviceaccounts application/json {"metadata":{"name":"robot"}}'
count "on one connection, writes too" 1 'new connection'

# --- who is trusted
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=other -keyout "$scratch/other.key" -out "$scratch/other.crt" 2>/dev/null
answers "its CA" 0 "$ok" trusting 'GET /version'
answers "its CA as bytes" 0 "$ok" trusting --data 'GET /version'
answers "another CA" 3 'certificate is not trusted' api --ca "$scratch/other.crt" 'GET /version'
answers "another CA as bytes" 3 'certificate is not trusted' api --data --ca "$scratch/other.crt" 'GET /version'
answers "the system's CAs" 3 'certificate is not trusted' api 'GET /version'
answers "no such CA file" 3 'certificate' api --ca "$scratch/missing" 'GET /version'
answers "a failure that stays isn't tried again" 3 '^1 requests' api --retries 3 --ca "$scratch/other.crt" 'GET /version'
cat /etc/ssl/certs/*.pem "$LAB_CA" >"$scratch/bundle.crt" 2>/dev/null || cp "$LAB_CA" "$scratch/bundle.crt"
answers "a bundle" 0 "$ok" api --data --ca "$scratch/bundle.crt" 'GET /version'
answers "insecure" 0 "$ok" api --insecure --ca "$scratch/other.crt" 'GET /version'

# --- tls-server-name
answers "a name of the certificate" 0 "$ok" trusting --server-name kubernetes.default.svc 'GET /version'
answers "another name" 3 'wrong\.example' trusting --server-name wrong.example 'GET /version'

# --- client certificates
pods='GET /api/v1/pods'
answers "none" 4 'User "system:anonymous"' trusting "$pods"
answers "files" 0 '200 .*PodList' admin "$pods"
answers "bytes" 0 '200 .*PodList' admin --data "$pods"
answers "one that the server doesn't know" 5 "doesn't accept the credentials" trusting --cert "$scratch/other.crt" --key "$scratch/other.key" "$pods"
answers "another's key" 3 'client certificate' trusting --cert "$LAB_CERT" --key "$scratch/other.key" "$pods"
answers "a key that is locked asks nobody" 3 'client certificate' \
	trusting --cert "$LAB_CERT" --key <(openssl rsa -aes128 -passout pass:x -in "$LAB_KEY" 2>/dev/null) "$pods"

# --- proxies
version() { # PROXY-SCHEME ARG...
	local scheme=$1
	shift
	through sh -c 'exec "$0" api --retries 0 --proxy "$1${PERCH_TEST_SERVER#http:}" --server "https://localhost:$2" --ca "$3" \
		--server-name kubernetes.default.svc "GET /version"' "$perch_test" "$scheme" "$port" "$LAB_CA"
}
answers "an HTTP proxy" 0 "$ok" version http:
count "was asked" 1 "^CONNECT localhost:$port"
answers "a SOCKS5 proxy" 0 "$ok" version socks5:
count "was asked" 1 '^SOCKS5 localhost'
through env NO_PROXY= sh -c 'export HTTPS_PROXY=$PERCH_TEST_SERVER
	exec "$0" api --retries 0 --server "https://kubernetes.default.svc:$1" --ca "$2" "GET /version"' "$perch_test" "$port" "$LAB_CA" >"$scratch/out" 2>&1 || true
count "HTTPS_PROXY was asked" 1 "^CONNECT kubernetes.default.svc:$port"

# --- tokens, and the rule that is missing
admin 'POST /api/v1/namespaces/default/serviceaccounts/robot/token application/json {"spec":{}}' >"$scratch/token"
token=$(sed -nE 's/.*"token":"([^"]*)".*/\1/p' "$scratch/token")
robot() { trusting --token "$token" "$@"; }
answers "a token" 0 "$ok" robot 'GET /version'
answers "one that is refused, then the next" 0 'the last were refused' trusting --token wrong --token "$token" 'GET /version'
answers "refused twice" 5 "doesn't accept the credentials" trusting --token wrong --token worse --token "$token" 'GET /version'

grant() { # the rule that the last one's error ends with, to robot
	local kind rule base=/apis/rbac.authorization.k8s.io/v1 ref
	kind=$(sed -nE 's/.*add to its (Role|ClusterRole): \{.*/\1/p' "$scratch/out")
	rule=$(sed -nE 's/.*add to its [A-Za-z]*: (\{.*\})$/\1/p' "$scratch/out")
	[ "$kind" = Role ] && base=$base/namespaces/default
	lower=$(echo "$kind" | tr '[:upper:]' '[:lower:]')
	n=$((${n:-0} + 1))
	ref="{apiGroup: rbac.authorization.k8s.io, kind: $kind, name: r$n}"
	admin "POST $base/${lower}s application/yaml {metadata: {name: r$n}, rules: [$rule]}" \
		"POST $base/${lower}bindings application/yaml {metadata: {name: r$n}, roleRef: $ref, subjects: [{kind: ServiceAccount, name: robot, namespace: default}]}" \
		>"$scratch/grant" 2>&1 || sed 's/^/    /' "$scratch/grant"
}
done_or_not_there='^[A-Z]+ [^ ]*: (2|40[49])'
allowed() { robot "$@" 2>&1 | grep -E "$done_or_not_there"; [ "${PIPESTATUS[1]}" = 0 ]; }
refused_then_granted() { # NAME ARG...
	local name=$1
	shift
	answers "$name: forbidden" 4 'add to its' robot "$@"
	grant
	within 10 allowed "$@" || true # RBAC's cache
	answers "$name: allowed by the rule" 0 "$done_or_not_there" robot "$@"
}
map=/api/v1/namespaces/default/configmaps
refused_then_granted "get" "GET $map/absent"
refused_then_granted "list" "GET $map?limit=1"
refused_then_granted "create" "POST $map application/json {\"metadata\":{\"name\":\"m\"}}"
refused_then_granted "patch" "PATCH $map/m application/merge-patch+json {\"data\":{\"a\":\"b\"}}"
refused_then_granted "a subresource" "GET /apis/apps/v1/namespaces/default/deployments/absent/scale"
refused_then_granted "the whole cluster" 'GET /apis/apps/v1/deployments'
refused_then_granted "no resource" 'GET /configz'
refused_then_granted "impersonation of a service account" --as system:serviceaccount:default:robot "GET $map/absent"
refused_then_granted "impersonation of a group" --as system:serviceaccount:default:robot --as-group system:masters "GET $map/absent"

finish
