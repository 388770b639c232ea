# SPDX-License-Identifier: Apache-2.0
# Who asks: certificates, tokens, passwords, and on whose behalf.
user "a client certificate by its file" in 'client-certificate: pki/jane.crt, client-key: pki/jane.key'
user "a client certificate at hand" in "client-certificate-data: $(data john.crt), client-key-data: $(data john.key)"
user "a certificate by its file, its key at hand" in "client-certificate: pki/jane.crt, client-key-data: $(data jane.key)"
user "a certificate both ways" out "client-certificate: pki/jane.crt, client-certificate-data: $(data jane.crt), client-key: pki/jane.key"
user "a key both ways" out "client-certificate: pki/jane.crt, client-key: pki/jane.key, client-key-data: $(data jane.key)"
user "a certificate without a key" out 'client-certificate: pki/jane.crt'
user "a key of somebody else" out 'client-certificate: pki/jane.crt, client-key: pki/john.key'
user "a key without a certificate, but a token" in "client-key: pki/absent.key, token: $one"
user "an encrypted key" out 'client-certificate: pki/jane.crt, client-key: pki/locked.key'
user "an expired certificate" out 'client-certificate: pki/late.crt, client-key: pki/late.key'
user "a certificate that isn't there" out 'client-certificate: pki/absent.crt, client-key: pki/jane.key'
user "a certificate that is none" out 'client-certificate: pki/jane.key, client-key: pki/jane.key'
user "a certificate that is not base64" out 'client-certificate-data: "%", client-key: pki/jane.key'
user "a token" in "token: $one"
user "a token nobody knows" out 'token: hunter2'
user "a token that is a number" out 'token: 12345'
user "a token file" in 'tokenFile: token'
user "a token file, and another token" in "tokenFile: token, token: $two"
user "a token file, and a wrong token" in 'tokenFile: token, token: hunter2'
user "a token file that isn't there, and a token" in "tokenFile: absent, token: $two"
user "a token file that isn't there" out 'tokenFile: absent'
user "a certificate and a token" in "client-certificate: pki/jane.crt, client-key: pki/jane.key, token: $two"
user "a certificate and a wrong token" in 'client-certificate: pki/jane.crt, client-key: pki/jane.key, token: hunter2'
user "a password" out 'username: jane, password: hunter2'
user "a password and a token" out "username: jane, password: hunter2, token: $one"
user "an auth-provider that is gone" out 'auth-provider: {name: gcp}'
user "an unknown field" in "token: $one, colour: blue"
user "null fields" in "token: $one, username: null, exec: null, as-groups: null"

user "as another" in 'client-certificate: pki/john.crt, client-key: pki/john.key, as: mary'
user "as another with groups, uid and extras" in "client-certificate: pki/john.crt, client-key: pki/john.key, as: mary, \
as-groups: [g1, 'g 2'], as-uid: '77', as-user-extra: {Reason/why: [one, two], 'per%cent': [x]}"
user "as another, by an option" in 'client-certificate: pki/john.crt, client-key: pki/john.key' --as=mary
user "an option over the file" in 'client-certificate: pki/john.crt, client-key: pki/john.key, as: mary, as-groups: [g1], as-uid: "77"' --as=liz
user "groups of an option over the file's" in 'client-certificate: pki/john.crt, client-key: pki/john.key, as: mary, as-groups: [g1]' --as-group=g3 --as-group=g4
user "as a service account" in 'client-certificate: pki/jane.crt, client-key: pki/jane.key' --as=system:serviceaccount:default:one
user "as another without the right" out "token: $one" --as=mary
user "groups without a user" out 'client-certificate: pki/john.crt, client-key: pki/john.key, as-groups: [g1]'
user "groups of an option without a user" out 'client-certificate: pki/john.crt, client-key: pki/john.key' --as-group=g1

# perch asks again with what the file holds by then; one kubectl is one request.
printf hunter2 >sub/late-token
operands='wait ask' meanwhile='sleep 0.6; cp one.token sub/late-token'
user "a token that is replaced after a 401" perch 'tokenFile: late-token'
