# SPDX-License-Identifier: Apache-2.0
# Where the server is and how it proves itself; proxies; several files.
cluster "an authority by its file" in "server: '$LAB_SERVER', certificate-authority: pki/ca.crt"
cluster "an authority at hand" in "server: '$LAB_SERVER/', certificate-authority-data: $authority"
cluster "an authority both ways" out "server: '$LAB_SERVER', certificate-authority: pki/ca.crt, certificate-authority-data: $authority"
cluster "no authority" out "server: '$LAB_SERVER'"
cluster "another authority" out "server: '$LAB_SERVER', certificate-authority: pki/other-ca.crt"
cluster "an authority that isn't there" out "server: '$LAB_SERVER', certificate-authority: pki/absent.crt"
cluster "an authority that is none" out "server: '$LAB_SERVER', certificate-authority: pki/jane.key"
cluster "unchecked" in "server: '$LAB_SERVER', insecure-skip-tls-verify: true"
cluster "unchecked with an authority" out "server: '$LAB_SERVER', certificate-authority: pki/ca.crt, insecure-skip-tls-verify: true"
cluster "unchecked, in words" out "server: '$LAB_SERVER', insecure-skip-tls-verify: 'true'"
cluster "a name that the certificate lacks" out "server: 'https://localhost:$port', certificate-authority: pki/ca.crt"
cluster "tls-server-name" in "server: 'https://localhost:$port', certificate-authority: pki/ca.crt, tls-server-name: kubernetes.default.svc"
cluster "a wrong tls-server-name" out "server: '$LAB_SERVER', certificate-authority: pki/ca.crt, tls-server-name: kubernetes.example"
cluster "a path that leads nowhere" out "server: '$LAB_SERVER/nowhere', certificate-authority: pki/ca.crt"
cluster "no scheme" out "server: '127.0.0.1:$port', certificate-authority: pki/ca.crt"
cluster "an upper-case scheme" in "server: 'HTTPS://127.0.0.1:$port', certificate-authority: pki/ca.crt"
cluster "another scheme" out "server: 'ftp://127.0.0.1:$port', certificate-authority: pki/ca.crt"
cluster "a port where nobody listens" out "server: 'https://127.0.0.1:9', certificate-authority: pki/ca.crt"
cluster "no compression" in "server: '$LAB_SERVER', certificate-authority: pki/ca.crt, disable-compression: true"

# Over http nobody's credentials are sent: who asks is who the proxy is. No function starts it, whose shell would be ended in its stead.
kubectl --kubeconfig "$LAB_RUN/kubeconfig" proxy --port=0 --api-prefix=/clusters/lab/ --reject-paths=^$ >http-proxy.log 2>&1 &
within 10 grep -q 127.0.0.1: http-proxy.log
http=$(sed -n 's/.*\(127\.0\.0\.1:[0-9]*\).*/\1/p' http-proxy.log)
cluster "http with a path" in "server: 'http://$http/clusters/lab'"
cluster "http with a path and a slash" in "server: 'http://$http/clusters/lab/', certificate-authority: pki/other-ca.crt"
cluster "no scheme with a path" out "server: '$http/clusters/lab'"

proxy() { # [USER:PASSWORD]: starts one and sets its port
	rm -f proxy.log
	"$(type -P proxy)" ${1:+-user "$1"} >proxy.log 2>&1 &
	proxy_pid=$!
	within 10 test -s proxy.log
	proxy_port=$(head -1 proxy.log)
}
went_through() { # NAME TIMES HOW: did both go that way?
	if [ "$(grep -c "^$3 " proxy.log)" -ge "$2" ]; then pass; else fault "$1" "$(cat proxy.log)"; fi
}
proxy
via="certificate-authority: pki/ca.crt, tls-server-name: kubernetes.default.svc"
cluster "a proxy" in "server: '$LAB_SERVER', $via, proxy-url: 'http://127.0.0.1:$proxy_port'"
went_through "a proxy" 2 connect
cluster "a proxy that resolves names" in "server: 'https://localhost:$port', $via, proxy-url: 'socks5://127.0.0.1:$proxy_port'"
went_through "a proxy that resolves names" 2 "socks5 localhost:$port"
NO_PROXY=127.0.0.1 cluster "a proxy in spite of NO_PROXY" in "server: '$LAB_SERVER', $via, proxy-url: 'http://127.0.0.1:$proxy_port'"
went_through "a proxy in spite of NO_PROXY" 4 connect
HTTPS_PROXY=http://127.0.0.1:9 cluster "no proxy of the environment for loopback" in "server: '$LAB_SERVER', $via"
cluster "a proxy that isn't there" out "server: '$LAB_SERVER', $via, proxy-url: 'http://127.0.0.1:9'"
cluster "a proxy of another kind" out "server: '$LAB_SERVER', $via, proxy-url: 'ftp://127.0.0.1:$proxy_port'"
cluster "a proxy without a scheme" out "server: '$LAB_SERVER', $via, proxy-url: '127.0.0.1:$proxy_port'"
kill "$proxy_pid"
proxy somebody:hunter2
cluster "a proxy with a password" in "server: '$LAB_SERVER', $via, proxy-url: 'http://somebody:hunter2@127.0.0.1:$proxy_port'"
cluster "a socks5 proxy with a password" in "server: '$LAB_SERVER', $via, proxy-url: 'socks5://somebody:hunter2@127.0.0.1:$proxy_port'"
cluster "a proxy without its password" out "server: '$LAB_SERVER', $via, proxy-url: 'http://somebody:else@127.0.0.1:$proxy_port'"
kill "$proxy_pid"

# --- contexts and several files
lab="{name: lab, cluster: {server: '$LAB_SERVER', certificate-authority-data: $authority}}"
context() { # NAME in|out USERS CONTEXTS CURRENT [ARG]...
	local name=$1 want=$2 users=$3 contexts=$4 current=$5
	shift 5
	same "$name" "$want" "$@" <<-K
	clusters: [$lab]
	users: [$users]
	contexts: [$contexts]
	current-context: $current
	K
}
two_users="{name: one, user: {token: '$one'}}, {name: two, user: {token: '$two'}}"
two_contexts="{name: one, context: {cluster: lab, user: one}}, {name: two, context: {cluster: lab, user: two}}"
context "the current context" in "$two_users" "$two_contexts" two
context "another context" in "$two_users" "$two_contexts" two --context=one
context "a context that isn't there" out "$two_users" "$two_contexts" two --context=three
context "a current context that isn't there" out "$two_users" "$two_contexts" three
context "no current context" out "$two_users" "$two_contexts" '""'
context "a context of a user that isn't there" out "$two_users" "{name: one, context: {cluster: lab, user: three}}" one
context "a context of a cluster that isn't there" out "$two_users" "{name: one, context: {cluster: other, user: one}}" one
context "a user twice" out "$two_users, {name: one}" "$two_contexts" two
context "a context that is a number" out "$two_users" "$two_contexts" 7

mkdir -p a b
cat >a/config <<K
clusters: [{name: lab, cluster: {server: '$LAB_SERVER', certificate-authority: ca.crt}}]
users: [{name: me, user: {tokenFile: token}}]
contexts: [{name: a, context: {cluster: lab, user: me}}]
K
cat >b/config <<K
{"clusters": [{"name": "lab", "cluster": {"server": "https://127.0.0.1:9"}}], "users": [{"name": "me", "user": {"token": "hunter2"}}, {"name": "b", "user": {"token": "$two"}}],
 "contexts": [{"name": "a", "context": {"cluster": "lab", "user": "nobody"}}, {"name": "b", "context": {"cluster": "lab", "user": "b"}}], "current-context": "b"}
K
cp sub/pki/ca.crt a/ca.crt; cp one.token a/token
KUBECONFIG=a/config:b/config agree "the first file counts" in --context=a
KUBECONFIG=absent::a/config:b/config agree "a current context of the second file" in
KUBECONFIG=$work/b/config:$work/a/config agree "the other way round" out --context=b
KUBECONFIG=a/config:a agree "a folder among the files" out --context=a
KUBECONFIG=absent:gone agree "no file is there" out
agree "--kubeconfig isn't there" out --kubeconfig absent
mkdir -p home/.kube
sed "s|ca.crt|$work/a/ca.crt|; s|tokenFile: token|token: '$one'|" a/config >home/.kube/config
echo 'current-context: a' >>home/.kube/config
unset KUBECONFIG
agree "the one at home" in

text() { # NAME in|out TEXT
	printf "$3" >sub/config
	agree "$1" "$2" --kubeconfig sub/config
}
text "no YAML" out 'clusters: [\n'
text "nothing" out ''
text "a list" out '[]\n'
text "another kind" out 'apiVersion: v1\nkind: Secret\n'
text "another version" out 'apiVersion: v2\nkind: Config\n'
text "a second document" in "$(cat home/.kube/config)\n---\ncurrent-context: [\n"
text "tabs in JSON" in "{\n\t\"clusters\": [{\"name\": \"x\", \"cluster\": {\"server\": \"$LAB_SERVER\",\n\t\t\"certificate-authority-data\": \"$authority\"}}],
\t\"users\": [{\"name\": \"x\", \"user\": {\"token\": \"$one\"}}],\n\t\"contexts\": [{\"name\": \"x\", \"context\": {\"cluster\": \"x\", \"user\": \"x\"}}],\n\t\"current-context\": \"x\"\n}\n"
