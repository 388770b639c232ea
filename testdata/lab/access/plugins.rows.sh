# SPDX-License-Identifier: Apache-2.0
# Credential plugins.
v1="apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never"
beta="apiVersion: client.authentication.k8s.io/v1beta1"
quoted() { sed ':a;N;$!ba;s/\n/\\n/g' "sub/pki/$1"; }
good=$(credential v1 "\"token\":\"$one\"")
wrong=$(credential v1 '"token":"hunter2"')
certified="\"clientCertificateData\":\"$(quoted jane.crt)\\n\",\"clientKeyData\":\"$(quoted jane.key)\\n\""
plugin "v1" in "command: ../plugins/run, $v1" "$good"
told_alike "v1"
plugin "v1beta1" in "command: ../plugins/run, $beta" "$(credential v1beta1 "\"token\":\"$one\"")"
told_alike "v1beta1"
plugin "told of the cluster" in "command: ../plugins/run, $v1, provideClusterInfo: true" "$good"
told_alike "told of the cluster"
plugin "v1beta1 told of the cluster" in "command: ../plugins/run, $beta, provideClusterInfo: true" "$(credential v1beta1 "\"token\":\"$one\"")"
told_alike "v1beta1 told of the cluster"
plugin "a certificate" in "command: ../plugins/run, $v1" "$(credential v1 "$certified")"
plugin "a certificate and a token" in "command: ../plugins/run, $v1" "$(credential v1 "$certified,\"token\":\"$one\"")"
plugin "a key of somebody else" out "command: ../plugins/run, $v1" "$(credential v1 "\"clientCertificateData\":\"$(quoted jane.crt)\\n\",\"clientKeyData\":\"$(quoted john.key)\\n\"")"
plugin "YAML" in "command: ../plugins/run, $v1" "$(printf 'apiVersion: client.authentication.k8s.io/v1\nkind: ExecCredential\nstatus: {token: "%s"}' "$one")"
plugin "a path of its own" in "command: $work/plugins/run, $v1" "$good"
PATH=$work/plugins:$PATH plugin "in PATH" in "command: run, $v1" "$good"
plugin "not in PATH" out "command: run-absent, $v1, installHint: get it" "$good"
plugin "not there" out "command: ./run-absent, $v1" "$good"
plugin "no apiVersion" out "command: ../plugins/run, interactiveMode: Never" "$good"
plugin "another apiVersion" out "command: ../plugins/run, apiVersion: client.authentication.k8s.io/v1alpha1" "$good"
plugin "no interactiveMode" out "command: ../plugins/run, apiVersion: client.authentication.k8s.io/v1" "$good"
plugin "a terminal where there is none" out "command: ../plugins/run, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Always" "$good"
plugin "a terminal if there is one" in "command: ../plugins/run, apiVersion: client.authentication.k8s.io/v1, interactiveMode: IfAvailable" "$good"
told_alike "a terminal if there is one"
plugin "no command" out "$v1" "$good"
plugin "a variable without a name" out "command: ../plugins/run, $v1, env: [{value: x}]" "$good"
plugin "the answer of another version" out "command: ../plugins/run, $v1" "$(credential v1beta1 "\"token\":\"$one\"")"
plugin "no answer" out "command: ../plugins/run, $v1" ''
plugin "an answer without a kind" in "command: ../plugins/run, $v1" "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"status\":{\"token\":\"$one\"}}"
plugin "an answer without an apiVersion" out "command: ../plugins/run, $v1" "{\"kind\":\"ExecCredential\",\"status\":{\"token\":\"$one\"}}"
plugin "an answer of another kind" out "command: ../plugins/run, $v1" "{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"Secret\",\"status\":{\"token\":\"$one\"}}"
plugin "an answer without a status" out "command: ../plugins/run, $v1" '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential"}'
plugin "an empty status" out "command: ../plugins/run, $v1" "$(credential v1 '')"
plugin "a number for a token" out "command: ../plugins/run, $v1" "$(credential v1 '"token":7')"
plugin "a time that is none" out "command: ../plugins/run, $v1" "$(credential v1 "\"token\":\"$one\",\"expirationTimestamp\":\"soon\"")"
plugin "a certificate without a key" out "command: ../plugins/run, $v1" "$(credential v1 "\"token\":\"$one\",\"clientCertificateData\":\"x\"")"
plugin "a failure" out "command: /bin/false, $v1"

# How often it is run. One kubectl is one request, so only perch shows this.
plugin "a token nobody knows" out "command: ../plugins/run, $v1" "$wrong"
runs "run again after a 401, once" 2
plugin "another token after a 401" perch "command: ../plugins/run, $v1" "$wrong" "$good"
runs "another token after a 401" 2
soon=$(date -u -d '2 seconds' +%Y-%m-%dT%H:%M:%SZ)
operands='ask ask wait wait ask'
plugin "kept until it expires" in "command: ../plugins/run, $v1" "$(credential v1 "\"token\":\"$one\",\"expirationTimestamp\":\"$soon\"")" "$good"
runs "kept until it expires" 2
later=$(date -u -d '1 hour' +%Y-%m-%dT%H:%M:%SZ)
operands='ask wait ask'
plugin "kept while it lasts" in "command: ../plugins/run, $v1" "$(credential v1 "\"token\":\"$one\",\"expirationTimestamp\":\"$later\"")" "$wrong"
runs "kept while it lasts" 1
operands='ask ask'
plugin "expired from the start" in "command: ../plugins/run, $v1" "$(credential v1 "\"token\":\"$one\",\"expirationTimestamp\":\"2001-01-01T00:00:00Z\"")"
runs "expired from the start: once for each request" 2
