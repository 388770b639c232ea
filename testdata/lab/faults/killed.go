// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strings"
	"time"
)

// A flow is a verb and the fleet that it finds.
type flow struct {
	name string
	from snapshot
	args []string
}

// Three canaries: cart is proved unchanged, web isn't, the last revision of reviews failed its checks.
func (l *lab) flows() []flow {
	l.restore(l.base)
	hold := []string{"hold", "-n", namespace, "--for", "1h", "--reason", "upgrade"}
	r := l.run(nil, hold...)
	l.check(r.code == 0, "the canaries are held", r)
	held := l.read()
	l.restore(l.base)
	r = l.run(nil, "explain", "shop/web")
	_, print, _ := strings.Cut(r.out, "fingerprint")
	_, print, _ = strings.Cut(print, ":")
	print, _, _ = strings.Cut(strings.TrimSpace(print), "\n")
	pre := []string{"hook", "pre", "-n", namespace, "--app", "shop", "--hold=all", "--on-error=fail"}
	r = l.run(nil, pre...)
	l.check(r.code == 0 && r.writes() > 0, "an app's canary is held", r)
	committed := l.read()
	post := []string{"hook", "post", "-n", namespace, "--app", "shop", "--on-error=fail"}
	return []flow{
		{"guard", l.base, []string{"guard"}},
		{"hold", l.base, hold},
		{"reconcile", held, []string{"reconcile", "-n", namespace}},
		{"resume", held, []string{"resume", "-n", namespace}},
		{"resume --roll --step", held, []string{"resume", "-n", namespace, "--roll", "--step"}},
		{"adopt", held, []string{"adopt", "shop/cart"}},
		{"adopt --accept", l.base, []string{"adopt", "shop/web", "--accept", print}},
		{"nudge", l.base, []string{"nudge", "shop/cart"}},
		{"hook pre", l.base, pre},
		{"hook post", committed, post},
	}
}

func killBefore(n int) fault {
	return func(t *turn) bool {
		if t.n == n {
			t.kill()
		}
		return false
	}
}

func killAfter(n int) fault {
	return func(t *turn) bool {
		if t.n == n {
			t.forward()
			t.kill()
		}
		return false
	}
}

// killed ends perch before and after each request of each flow; the next run does the rest.
func (l *lab) killed() {
	kills, bad := 0, l.failed
	for _, f := range l.flows() {
		begun, before := time.Now(), kills
		l.restore(f.from)
		undisturbed := l.run(nil, f.args...)
		want := l.state()
		l.check(undisturbed.writes() > 0, f.name+" writes", undisturbed)
		again := l.run(nil, f.args...)
		got := l.state()
		l.check(got == want, f.name+", run twice: another end", difference(want, got))
		kills += l.killEach(f, "before", killBefore, undisturbed, again, want)
		kills += l.killEach(f, "after", killAfter, undisturbed, again, want)
		fmt.Printf("%s: %d requests, killed %d times, %.0f s\n", f.name, len(undisturbed.requests), kills-before,
			time.Since(begun).Seconds())
	}
	time.Sleep(time.Second) // of the watch
	l.check(len(l.silent) == 0, "every suspended canary says why, at every instant", strings.Join(l.silent, "\n"))
	fmt.Printf("%d kills, %d bad, %d versions of canaries seen\n", kills, l.failed-bad, l.seen)
}

// killEach: the run after one that was killed ends as an undisturbed one or, once all is done, as its second.
func (l *lab) killEach(f flow, side string, kill func(int) fault, undisturbed, again result, want string) int {
	for n := 1; ; n++ {
		what := fmt.Sprintf("%s, killed %s request %d", f.name, side, n)
		l.restore(f.from)
		l.trying(what)
		if r := l.run(kill(n), f.args...); r.code != -1 {
			l.check(r.code == undisturbed.code, what+": not killed", r)
			return n - 1
		}
		l.goesOn(f, what, undisturbed, again, want)
	}
}

func (l *lab) goesOn(f flow, what string, undisturbed, again result, want string) {
	r := l.run(nil, f.args...)
	l.check(r.code == undisturbed.code || r.code == again.code, what+": the next run ends otherwise", r)
	got := l.state()
	l.check(got == want, what+": another end", difference(want, got))
}
