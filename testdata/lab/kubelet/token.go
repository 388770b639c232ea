// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// secondsAnnotation of a pod makes its tokens expire after so many seconds. The API grants none below ten minutes, so the lab
// signs such a token itself, with the API server's own key.
const secondsAnnotation = "lab.perch.dev/token-seconds"

// token asks the API for one that is bound to the pod, and says when it is to be replaced: after 80% of its life.
func (p *pod) token(source *corev1.ServiceAccountTokenProjection) (string, time.Time, error) {
	asked := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{
		ExpirationSeconds: source.ExpirationSeconds,
		BoundObjectRef:    &authenticationv1.BoundObjectReference{Kind: "Pod", APIVersion: "v1", Name: p.object.Name, UID: p.object.UID},
	}}
	if source.Audience != "" {
		asked.Spec.Audiences = []string{source.Audience}
	}
	made, err := p.k.CoreV1().ServiceAccounts(p.object.Namespace).CreateToken(p.ctx, p.object.Spec.ServiceAccountName, asked, metav1.CreateOptions{})
	if err != nil {
		return "", time.Time{}, err
	}
	token, life := made.Status.Token, time.Until(made.Status.ExpirationTimestamp.Time)
	if text := p.object.Annotations[secondsAnnotation]; text != "" {
		seconds, err := strconv.Atoi(text)
		if err != nil {
			return "", time.Time{}, fmt.Errorf("annotation %s: %v", secondsAnnotation, err)
		}
		life = time.Duration(seconds) * time.Second
		if token, err = shortened(token, life, filepath.Join(p.k.run, "sa.key")); err != nil {
			return "", time.Time{}, err
		}
	}
	return token, time.Now().Add(life * 4 / 5), nil
}

// refresh replaces tokens in time, and all of them when the file NAMESPACE_POD.rotate appears.
func (p *pod) refresh() {
	for pause(p.ctx, 500*time.Millisecond) {
		rotate := exists(p.file("rotate"))
		for i := range p.object.Spec.Volumes {
			v := &p.object.Spec.Volumes[i]
			until, hasToken := p.tokens[v.Name]
			if !hasToken || !rotate && time.Now().Before(until) {
				continue
			}
			if err := p.fill(v); err != nil {
				log.Printf("%s: %v", p.name(), err)
			}
		}
		if rotate {
			os.Remove(p.file("rotate"))
		}
	}
}

// shortened is the same token with another end, signed anew.
func shortened(token string, life time.Duration, keyFile string) (string, error) {
	text, err := os.ReadFile(keyFile)
	if err != nil {
		return "", err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return "", fmt.Errorf("'%s' is no key", keyFile)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return "", err
	}
	parts := strings.Split(token, ".")
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return "", err
	}
	claims := map[string]any{}
	if err := json.Unmarshal(raw, &claims); err != nil {
		return "", err
	}
	claims["exp"] = time.Now().Add(life).Unix()
	raw, err = json.Marshal(claims)
	if err != nil {
		return "", err
	}
	signed := parts[0] + "." + base64.RawURLEncoding.EncodeToString(raw)
	digest := sha256.Sum256([]byte(signed))
	signature, err := rsa.SignPKCS1v15(rand.Reader, parsed.(*rsa.PrivateKey), crypto.SHA256, digest[:])
	return signed + "." + base64.RawURLEncoding.EncodeToString(signature), err
}
