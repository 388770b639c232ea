// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"
)

// A proxy passes on to the API server what perch asks, as the lab's admin, and does to some of it what
// its fault says. To perch it speaks plain HTTP, and TLS to those who have a token.
type proxy struct {
	upstream  *url.URL
	transport http.RoundTripper
	plain     net.Listener
	tls       net.Listener // for credentials, which perch sends over nothing else

	mu     sync.Mutex
	fault  fault
	victim *os.Process
	asked  []string  // METHOD PATH, since the last begin
	ended  time.Time // when the victim was asked to end; zero: it wasn't
}

// turn is one request, the nth of a run.
type turn struct {
	n    int
	w    http.ResponseWriter
	r    *http.Request
	body []byte
	p    *proxy
}

// A fault does what it likes with a turn; false: it left it alone.
type fault func(t *turn) bool

type answer struct {
	status int
	header http.Header
	body   []byte
}

func newProxy() *proxy {
	pool := x509.NewCertPool()
	ca, err := os.ReadFile(os.Getenv("LAB_CA"))
	must(err)
	pool.AppendCertsFromPEM(ca)
	pair, err := tls.LoadX509KeyPair(os.Getenv("LAB_CERT"), os.Getenv("LAB_KEY"))
	must(err)
	upstream, err := url.Parse(os.Getenv("LAB_SERVER"))
	must(err)
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	secure, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	p := &proxy{upstream: upstream, plain: plain, tls: secure, transport: &http.Transport{
		TLSClientConfig:    &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}},
		DisableCompression: true, MaxIdleConnsPerHost: 64,
	}}
	go http.Serve(plain, p)
	run := os.Getenv("LAB_RUN")
	go http.ServeTLS(secure, p, filepath.Join(run, "server.crt"), filepath.Join(run, "server.key"))
	return p
}

func (p *proxy) url() string    { return "http://" + p.plain.Addr().String() }
func (p *proxy) tlsURL() string { return "https://" + p.tls.Addr().String() }

// begin starts a run by start, which gives the process that kill() ends.
func (p *proxy) begin(f fault, start func() *os.Process) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fault, p.asked, p.ended = f, nil, time.Time{}
	p.victim = start()
}

func (p *proxy) requests() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string(nil), p.asked...)
}

// term asks perch to end, as Kubernetes does.
func (p *proxy) term() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = time.Now()
	p.victim.Signal(syscall.SIGTERM)
}

func (p *proxy) ending() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended.IsZero() {
		return 0
	}
	return time.Since(p.ended)
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	p.mu.Lock()
	p.asked = append(p.asked, r.Method+" "+r.URL.RequestURI())
	t := &turn{len(p.asked), w, r, body, p}
	f := p.fault
	p.mu.Unlock()
	if f == nil || !f(t) {
		t.send(t.forward())
	}
}

func (t *turn) is(method, part string) bool {
	return t.r.Method == method && strings.Contains(t.r.URL.Path, part)
}

func (t *turn) forward() answer {
	to := *t.r.URL
	to.Scheme, to.Host = t.p.upstream.Scheme, t.p.upstream.Host
	out, err := http.NewRequestWithContext(t.r.Context(), t.r.Method, to.String(), strings.NewReader(string(t.body)))
	must(err)
	out.Header = t.r.Header.Clone()
	out.Header.Del("Authorization")
	got, err := t.p.transport.RoundTrip(out)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	got.Header.Del("Content-Length")
	return answer{got.StatusCode, got.Header, body}
}

func (t *turn) send(a answer) {
	for name, values := range a.header {
		t.w.Header()[name] = values
	}
	t.w.WriteHeader(a.status)
	t.w.Write(a.body)
}

func (t *turn) kill() {
	t.p.mu.Lock()
	t.p.victim.Kill()
	t.p.mu.Unlock()
	panic(http.ErrAbortHandler)
}

// end asks perch to end, and lets it wait for an answer.
func (t *turn) end() {
	t.p.term()
	t.stall()
}

// reset ends the connection as a crashed server does.
func (t *turn) reset() {
	c, _, err := http.NewResponseController(t.w).Hijack()
	must(err)
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

// cut sends half of an answer and ends the connection.
func (t *turn) cut(a answer) {
	c, b, err := http.NewResponseController(t.w).Hijack()
	must(err)
	b.WriteString("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ")
	b.WriteString(decimal(len(a.body)) + "\r\n\r\n")
	b.Write(a.body[:len(a.body)/2])
	b.Flush()
	c.Close()
}

func (t *turn) stall() {
	select {
	case <-t.r.Context().Done():
	case <-time.After(20 * time.Second):
	}
	panic(http.ErrAbortHandler)
}
