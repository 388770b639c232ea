// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// A trouble is what a server, or what stands before it, does instead of answering.
type trouble struct {
	name string
	do   func(t *turn)
}

const tries = 5 // of one request, the first among them

func status(code int, reason, message string, headers ...string) trouble {
	body := fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":%q,"reason":%q,"code":%d}`,
		message, reason, code)
	return page(fmt.Sprintf("%d %s", code, reason), code, "application/json", body, headers...)
}

func page(name string, code int, kind, body string, headers ...string) trouble {
	header := http.Header{"Content-Type": {kind}}
	for i := 0; i < len(headers); i += 2 {
		header.Set(headers[i], headers[i+1])
	}
	return trouble{name, func(t *turn) { t.send(answer{code, header, []byte(body)}) }}
}

func cut(t *turn) { t.cut(answer{body: []byte(`{"kind":"Status","apiVersion":"v1","items":[`)}) }

var (
	tooMany   = status(429, "TooManyRequests", "the server is busy", "Retry-After", "1")
	internal  = status(500, "InternalError", "etcdserver: request timed out")
	nobody    = status(401, "Unauthorized", "Unauthorized")
	conflict  = status(409, "Conflict", "the object has been modified")
	expired   = status(410, "Expired", "The provided continue parameter is too old")
	forbidden = status(403, "Forbidden", `canaries.flagger.app "x" is forbidden: User "admin" cannot do this`)
	notFound  = status(404, "NotFound", "the server could not find the requested resource")
	html      = page("a page", 200, "text/html", "<html><body>Please log in</body></html>")
	lost      = trouble{"connection reset", (*turn).reset}
	slow      = trouble{"no answer", (*turn).stall}
)

// transient ones are over when perch asks again; those that come after the server's work too.
var transient = []trouble{
	tooMany, internal, html, lost,
	page("502 and a page", 502, "text/html", "<html><h1>502 Bad Gateway</h1></html>"),
	status(503, "ServiceUnavailable", "apiserver not ready", "Retry-After", "0"),
	page("no JSON", 200, "application/json", `{"kind":"List","items":[{"a":`),
	{"cut off", cut},
	{"reset after it was done", func(t *turn) { t.forward(); t.reset() }},
	{"cut off after it was done", func(t *turn) { t.cut(t.forward()) }},
	{"500 after it was done", func(t *turn) { t.forward(); internal.do(t) }},
}

// lasting ones say no: perch may do without, or end, but not as if nothing had been.
var lasting = []trouble{
	nobody, conflict, expired,
	status(400, "BadRequest", "the server rejected our request"),
	forbidden, notFound,
	status(422, "Invalid", "is invalid"),
	page("301", 301, "text/plain", "", "Location", "https://elsewhere.example/"),
	page("an empty object", 200, "application/json", "{}"),
	page("an array", 200, "application/json", "[]"),
	page("null", 200, "application/json", "null"),
	page("nothing", 200, "application/json", ""),
	page("another object", 200, "application/json", `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"x","namespace":"y"}}`),
}

func at(n int, tr trouble) fault {
	return func(t *turn) bool {
		if t.n == n {
			tr.do(t)
		}
		return t.n == n
	}
}

func always(tr trouble) fault {
	return func(t *turn) bool { tr.do(t); return true }
}

// onWrite is for the nth write of a run.
func onWrite(n int, do func(t *turn) bool) fault {
	writes := 0
	return func(t *turn) bool {
		if t.r.Method == http.MethodPatch {
			writes++
		}
		return t.r.Method == http.MethodPatch && writes == n && do(t)
	}
}

// recovered is what is over when perch asks again.
func (l *lab) recovered() {
	flows := l.flows()
	for _, f := range flows {
		switch f.name {
		case "guard":
			l.sweep(f, transient, true)
			l.pages(f)
			l.rotation(f)
		case "reconcile":
			l.sweep(f, transient[8:], true)
		default:
			l.sweep(f, []trouble{conflict}, f.name != "adopt --accept") // that one is for the next run
			l.sweep(f, transient[8:9], true)
		}
	}
}

// refused is what isn't.
func (l *lab) refused() {
	flows := l.flows()
	l.sweep(flows[0], lasting, false)
	l.everywhere(flows)
	l.conflicts(flows[0])
	for _, f := range flows {
		l.slowly(f)
		l.gone(f)
	}
}

// sweep has one trouble at each request of a flow. What recovers ends as if nothing had been.
func (l *lab) sweep(f flow, troubles []trouble, recovers bool) {
	l.restore(f.from)
	undisturbed := l.run(nil, f.args...)
	want := l.state()
	for _, tr := range troubles {
		n := 0
		for i, asked := range undisturbed.requests {
			if recovers && tr.name == conflict.name && !strings.HasPrefix(asked, http.MethodPatch) {
				continue // no server has a conflict about a read
			}
			l.once(f, tr, i+1, undisturbed, want, recovers)
			n++
		}
		fmt.Printf("%s, %s: once at each of %d requests\n", f.name, tr.name, n)
	}
}

func (l *lab) once(f flow, tr trouble, n int, undisturbed result, want string, recovers bool) {
	what := fmt.Sprintf("%s, %s at request %d (%s)", f.name, tr.name, n, undisturbed.requests[n-1])
	l.restore(f.from)
	l.trying(what)
	r := l.run(at(n, tr), f.args...)
	got := l.state()
	if recovers {
		l.check(r.code == undisturbed.code && got == want, what+": doesn't recover", r, difference(want, got))
	}
	seen := r.code != undisturbed.code || r.out != undisturbed.out || r.err != undisturbed.err
	l.check(got == want || seen, what+": half-done unseen", r, difference(want, got))
	l.clear(what, r)
	// What ended as if done, and said what it couldn't do, has no more to do.
	if got == want || (!recovers && r.code == 0) {
		return
	}
	r = l.run(nil, f.args...)
	got = l.state()
	l.check(got == want, what+": the next run ends otherwise", r, difference(want, got))
}

// clear is a run that ended by itself, with one line for an error, or the closing one, and no line that can't be read.
func (l *lab) clear(what string, r result) {
	errors := strings.Count("\n"+r.err, "\n✗")
	wants := r.code >= 2 && r.code <= 6
	l.check(r.code >= 0 && r.code < 70, what+": perch has a bug", r)
	closing := strings.Contains("\n"+r.err, "\n⚠ perch ") // it tells of what was refused
	l.check((!wants || errors == 1 || closing) && errors <= 1, what+": not one line of error", r)
	for _, line := range strings.Split(r.err, "\n") {
		l.check(len(line) < 1200 && utf8.ValidString(line), what+": a line that can't be read", line)
	}
}

// everywhere has the same trouble at every request: the exit code of docs/exit-codes.md, and an end of trying.
func (l *lab) everywhere(flows []flow) {
	verbs := [][]string{{"plan", "-n", namespace}, {"plan", "shop/cart"}, {"status", "-n", namespace}, {"dump", "-A"},
		{"explain", "shop/cart"}, {"wait", "shop/cart", "--for=settled"}}
	for _, f := range flows {
		verbs = append(verbs, f.args)
	}
	troubles := []struct {
		trouble
		code int
	}{{internal, 3}, {tooMany, 3}, {lost, 3}, {nobody, 5}, {html, 7}, {forbidden, 4}, {notFound, 3}, {trouble{"cut off", cut}, 3}}
	l.restore(l.base)
	want := l.state()
	for _, tr := range troubles {
		for _, args := range verbs {
			what := fmt.Sprintf("%s, always %s", strings.Join(args, " "), tr.name)
			r := l.run(always(tr.trouble), args...)
			ok := r.code == tr.code || (args[0] == "guard" && tr.name == notFound.name && r.code == 2) // it has no Pod
			l.check(ok, fmt.Sprintf("%s: not exit %d", what, tr.code), r)
			l.clear(what, r)
			l.bounded(what, r)
		}
		fmt.Printf("%d verbs, always %s\n", len(verbs), tr.name)
	}
	r := l.run(always(internal), "guard", "--on-error=proceed")
	l.check(r.code == 0 && strings.Contains(r.err, "all the same"), "guard --on-error=proceed", r)
	for _, args := range [][]string{{"plan", "-n", namespace}, {"status", "-n", namespace}, {"dump", "-A"}} {
		what := strings.Join(args, " ") + ", no answer"
		r := l.run(always(slow), append(args, "--timeout", "2s")...)
		l.check(r.code == 6 && r.took < 4*time.Second, what+": not exit 6 in 2 s", r)
		l.clear(what, r)
	}
	l.check(l.state() == want, "something was written", difference(want, l.state()))
}

// conflicts at every write to a canary: it is read anew, not for ever.
func (l *lab) conflicts(f flow) {
	l.restore(f.from)
	want := l.state()
	r := l.run(func(t *turn) bool {
		if t.is(http.MethodPatch, "/canaries/") {
			conflict.do(t)
		}
		return t.is(http.MethodPatch, "/canaries/")
	}, f.args...)
	l.check(r.code == 7, f.name+", always a conflict: not exit 7", r)
	l.clear(f.name+", always a conflict", r)
	l.check(l.state() == want, "something was written", difference(want, l.state()))
	fmt.Printf("%s, always a conflict: given up after %d requests\n", f.name, len(r.requests))
}

func (l *lab) bounded(what string, r result) {
	asked := map[string]int{}
	for _, request := range r.requests {
		asked[request]++
		l.check(asked[request] <= tries, what+": tries without end", request)
	}
	l.check(r.took < 40*time.Second, what+": takes long", r.took)
}

// slowly: a write that isn't answered ends by --timeout, or by SIGTERM, whether it was done or not. Guard's
// --timeout is of its wait for other Pods.
func (l *lab) slowly(f flow) {
	if f.name == "guard" {
		return
	}
	l.restore(f.from)
	undisturbed := l.run(nil, f.args...)
	want := l.state()
	again := l.run(nil, f.args...)
	for _, c := range []struct {
		what string
		do   func(t *turn)
		code int
		args []string
	}{
		{"no answer to a write that wasn't done", (*turn).stall, 6, []string{"--timeout", "2s"}},
		{"no answer to a write that was done", func(t *turn) { t.forward(); t.stall() }, 6, []string{"--timeout", "2s"}},
		{"SIGTERM before a write was done", (*turn).end, 143, nil},
		{"SIGTERM after a write was done", func(t *turn) { t.forward(); t.end() }, 143, nil},
	} {
		what := f.name + ", " + c.what
		l.restore(f.from)
		l.trying(what)
		r := l.run(onWrite(1, func(t *turn) bool { c.do(t); return true }), append(append([]string{}, f.args...), c.args...)...)
		l.check(r.code == c.code && r.took < 4*time.Second, fmt.Sprintf("%s: not exit %d in time", what, c.code), r)
		if c.code == 6 {
			l.clear(what, r)
		}
		r = l.run(nil, f.args...)
		l.check((r.code == undisturbed.code || r.code == again.code) && l.state() == want, what+": the next run", r,
			difference(want, l.state()))
	}
	fmt.Printf("%s: no answer to a write before --timeout, or before SIGTERM\n", f.name)
}

// pages has lists come one object a page, and `continue` expire at each of them, and always.
func (l *lab) pages(f flow) {
	l.restore(f.from)
	undisturbed := l.run(nil, f.args...)
	want := l.state()
	small := func(t *turn) {
		t.r.URL.RawQuery = strings.Replace(t.r.URL.RawQuery, "limit=500", "limit=1", 1)
	}
	turning := func(t *turn) bool { return strings.Contains(t.r.URL.RawQuery, "continue=") }
	l.restore(f.from)
	r := l.run(func(t *turn) bool { small(t); return false }, f.args...)
	l.check(r.code == undisturbed.code && l.state() == want, "one object a page", r, difference(want, l.state()))
	turned := 0
	for _, asked := range r.requests {
		if strings.Contains(asked, "continue=") {
			turned++
		}
	}
	l.check(turned > 10, "pages are turned", r)
	for n := 1; n <= min(turned, 12); n++ {
		var count atomic.Int32
		l.restore(f.from)
		r = l.run(func(t *turn) bool {
			small(t)
			hit := turning(t) && count.Add(1) == int32(n)
			if hit {
				expired.do(t)
			}
			return hit
		}, f.args...)
		l.check(r.code == undisturbed.code && l.state() == want, fmt.Sprintf("continue %d expires", n), r, difference(want, l.state()))
	}
	l.restore(f.from)
	r = l.run(func(t *turn) bool {
		small(t)
		if turning(t) {
			expired.do(t)
		}
		return turning(t)
	}, f.args...)
	l.check(r.code == undisturbed.code && l.state() == want, "continue always expires", r, difference(want, l.state()))
	fmt.Printf("%d pages of one object each, expired at each\n", turned)
}

// rotation: a token that is refused is read again, once.
func (l *lab) rotation(f flow) {
	file := l.write("token", "stale")
	kubeconfig := l.write("rotating", config(l.proxy.tlsURL(), fmt.Sprintf(`{"tokenFile": %q}`, file)))
	l.restore(f.from)
	undisturbed := l.run(nil, f.args...)
	want := l.state()
	for n := 1; n <= len(undisturbed.requests); n++ {
		l.restore(f.from)
		l.write("token", "stale")
		r := l.runAs(func(t *turn) bool {
			if t.r.Header.Get("Authorization") != "Bearer stale" || t.n < n {
				return false
			}
			l.write("token", "fresh")
			nobody.do(t)
			return true
		}, kubeconfig, f.args...)
		what := fmt.Sprintf("the token is renewed at request %d", n)
		renewed, err := os.ReadFile(file)
		must(err)
		l.check(string(renewed) == "fresh", what+": it isn't", r)
		l.check(r.code == undisturbed.code && l.state() == want, what, r, difference(want, l.state()))
		l.clear(what, r)
	}
	fmt.Printf("a token renewed at each of %d requests\n", len(undisturbed.requests))
}

// gone: the canary that is written to is deleted, or deleted and made anew, just before.
func (l *lab) gone(f flow) {
	l.restore(f.from)
	undisturbed := l.run(nil, f.args...)
	for n := 1; n <= undisturbed.writes(); n++ {
		for _, anew := range []bool{false, true} {
			name, uid := "", ""
			l.restore(f.from)
			what := fmt.Sprintf("%s, deleted before write %d", f.name, n)
			if anew {
				what += " and made anew"
			}
			l.trying(what)
			r := l.run(onWrite(n, func(t *turn) bool {
				if t.is(http.MethodPatch, "/canaries/") {
					name = strings.Split(strings.SplitN(t.r.URL.Path, "/canaries/", 2)[1], "/")[0]
					uid = l.replace(f.from[name], anew)
				}
				return false
			}), f.args...)
			if name == "" {
				continue
			}
			l.clear(what, r)
			is := l.read()[name]
			if is == nil {
				l.check(!anew, what+": it is gone", r)
				continue
			}
			l.check(anew, what+": an object appeared", r, comparable(is))
			l.check(string(is.GetUID()) == uid && unsaid(is) == "" && is.Object["status"] == nil,
				what+": the new object isn't as it was made", r, comparable(is))
		}
	}
	fmt.Printf("%s: canaries deleted, and made anew, between read and write\n", f.name)
}

func (l *lab) replace(was *unstructured.Unstructured, anew bool) string {
	must(l.canaries().Delete(ctx, was.GetName(), metav1.DeleteOptions{}))
	if !anew {
		return ""
	}
	fresh := bare(was)
	fresh.SetAnnotations(nil)
	unstructured.RemoveNestedField(fresh.Object, "spec", "suspend")
	unstructured.RemoveNestedField(fresh.Object, "status")
	made, err := l.canaries().Create(ctx, fresh, metav1.CreateOptions{FieldManager: "seed"})
	must(err)
	return string(made.GetUID())
}
