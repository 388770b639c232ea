// SPDX-License-Identifier: Apache-2.0

// Command forward makes random targets, lets Flagger's own controllers make, promote and judge them, and asks perch about the
// same objects: is the primary what perch's transform makes of the target, is the hash the same, would a run begin?
// Flagger's controllers talk to client-go's own in-memory API.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	flaggerv1 "github.com/fluxcd/flagger/pkg/apis/flagger/v1beta1"
	"github.com/fluxcd/flagger/pkg/canary"
	flaggerfake "github.com/fluxcd/flagger/pkg/client/clientset/versioned/fake"
	"go.uber.org/zap"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/fake"
)

const namespace = "shop"

var selectorLabels = []string{"app", "name", "app.kubernetes.io/name"}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func newCanary(name, kind string) *flaggerv1.Canary {
	return &flaggerv1.Canary{
		TypeMeta:   metav1.TypeMeta{APIVersion: "flagger.app/v1beta1", Kind: "Canary"},
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name},
		Spec: flaggerv1.CanarySpec{
			TargetRef: flaggerv1.LocalObjectReference{APIVersion: "apps/v1", Kind: kind, Name: name},
			Analysis:  &flaggerv1.CanaryAnalysis{Interval: "1m", Threshold: 1, Iterations: 1},
		},
		Status: flaggerv1.CanaryStatus{Phase: flaggerv1.CanaryPhaseSucceeded},
	}
}

// one is the story of one canary: made, perhaps promoted again, then perhaps changed.
func one(r *rand.Rand, name string) ([]any, verdict) {
	kind := pick(r, "Deployment", "Deployment", "DaemonSet")
	cd := newCanary(name, kind)
	g := &generator{Rand: r, name: name}
	configs := g.configs()
	target := g.target(kind)
	kube := fake.NewSimpleClientset(append(configs, target)...)
	flagger := flaggerfake.NewSimpleClientset(cd)
	logger := zap.NewNop().Sugar()
	tracker := &canary.ConfigTracker{Logger: logger, KubeClient: kube, FlaggerClient: flagger}
	controller := newController(kube, flagger, tracker, selectorLabels, logger, cd.Spec.TargetRef)

	read := func() *flaggerv1.Canary {
		got, err := flagger.FlaggerV1beta1().Canaries(namespace).Get(context.TODO(), name, metav1.GetOptions{})
		must(err)
		return got
	}
	if _, err := controller.Initialize(cd); err != nil {
		return nil, verdict{} // a mandatory config is missing: nothing to see
	}
	must(controller.SyncStatus(read(), flaggerv1.CanaryStatus{Phase: flaggerv1.CanaryPhaseInitialized}))
	if r.Intn(2) == 0 {
		g.retouch(templateOf(target))
		update(kube, target)
		must(controller.SyncStatus(read(), flaggerv1.CanaryStatus{Phase: flaggerv1.CanaryPhaseProgressing}))
		must(controller.Promote(read()))
		must(controller.SetStatusPhase(read(), flaggerv1.CanaryPhaseSucceeded))
	}
	if kind == "DaemonSet" && r.Intn(2) == 0 {
		must(controller.ScaleToZero(read()))
	}
	g.stir(kube)
	return collect(kube, read(), kind, name), judge(controller, read())
}

// verdict is Flagger's: its hash of the target, and whether it would begin a run.
type verdict struct {
	hash string
	runs bool
}

func judge(controller canary.Controller, cd *flaggerv1.Canary) verdict {
	target, err := controller.HasTargetChanged(cd)
	must(err)
	config, err := controller.HaveDependenciesChanged(cd)
	if err != nil {
		config = false // a mandatory config is missing: Flagger's tick ends here
	}
	return verdict{cd.Status.LastAppliedSpec, target || config}
}

func templateOf(o runtime.Object) *corev1.PodTemplateSpec {
	switch t := o.(type) {
	case *appsv1.Deployment:
		return &t.Spec.Template
	case *appsv1.DaemonSet:
		return &t.Spec.Template
	}
	return nil
}

func update(kube *fake.Clientset, o runtime.Object) {
	var err error
	switch t := o.(type) {
	case *appsv1.Deployment:
		_, err = kube.AppsV1().Deployments(namespace).Update(context.TODO(), t, metav1.UpdateOptions{})
	case *appsv1.DaemonSet:
		_, err = kube.AppsV1().DaemonSets(namespace).Update(context.TODO(), t, metav1.UpdateOptions{})
	}
	must(err)
}

func collect(kube *fake.Clientset, cd *flaggerv1.Canary, kind, name string) []any {
	cd.TypeMeta = metav1.TypeMeta{APIVersion: "flagger.app/v1beta1", Kind: "Canary"}
	objects := []any{cd}
	for _, n := range []string{name, name + "-primary"} {
		meta := metav1.TypeMeta{APIVersion: "apps/v1", Kind: kind}
		if kind == "Deployment" {
			o, err := kube.AppsV1().Deployments(namespace).Get(context.TODO(), n, metav1.GetOptions{})
			must(err)
			o.TypeMeta = meta
			objects = append(objects, o)
			continue
		}
		o, err := kube.AppsV1().DaemonSets(namespace).Get(context.TODO(), n, metav1.GetOptions{})
		must(err)
		o.TypeMeta = meta
		objects = append(objects, o)
	}
	maps, err := kube.CoreV1().ConfigMaps(namespace).List(context.TODO(), metav1.ListOptions{})
	must(err)
	for i := range maps.Items {
		maps.Items[i].TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}
		objects = append(objects, &maps.Items[i])
	}
	secrets, err := kube.CoreV1().Secrets(namespace).List(context.TODO(), metav1.ListOptions{})
	must(err)
	for i := range secrets.Items {
		secrets.Items[i].TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Secret"}
		objects = append(objects, &secrets.Items[i])
	}
	return objects
}

// ask runs perch-test on a file and gives the lines that begin with a canary's name, by name.
func ask(perch, command, file string) map[string]string {
	out, err := exec.Command(perch, command, "--flagger", release, file).Output()
	must(err)
	answers := map[string]string{}
	for _, line := range strings.Split(string(out), "\n") {
		if name := word.FindString(line); name != "" {
			answers[name] = line
		}
	}
	return answers
}

var word = regexp.MustCompile(`^c[0-9]+`)

func main() {
	seed := flag.Int64("seed", 1, "")
	n := flag.Int("n", 1000, "")
	perch := flag.String("perch", "perch-test", "the perch-test to ask")
	findings := flag.String("findings", "", "where files with a disagreement go")
	flag.Parse()
	dir, err := os.MkdirTemp("", "forward")
	must(err)
	defer os.RemoveAll(dir)
	canaries, runs, wrong := 0, 0, 0
	for at := 0; at < *n; {
		file := filepath.Join(dir, fmt.Sprintf("%d-%d.json", *seed, at))
		var items []any
		said := map[string]verdict{}
		for end := at + 50; at < *n && at < end; at++ {
			name := fmt.Sprintf("c%d", at)
			objects, v := one(rand.New(rand.NewSource(*seed*1_000_000_000+int64(at))), name)
			if objects == nil {
				continue
			}
			items, said[name] = append(items, objects...), v
		}
		text, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
		must(err)
		must(os.WriteFile(file, text, 0o644))
		proofs, triggers := ask(*perch, "proof", file), ask(*perch, "trigger", file)
		bad := 0
		for name, v := range said {
			canaries++
			if v.runs {
				runs++
			}
			if !strings.HasPrefix(proofs[name], name+": proved, primary equal,") {
				fmt.Println(proofs[name])
				bad++
			}
			if want := fmt.Sprintf("%s\t%s\t%s\t", name, v.hash, map[bool]string{true: "yes", false: "no"}[v.runs]); !strings.HasPrefix(triggers[name], want) {
				fmt.Printf("Flagger: %s\nperch:   %s\n", want, triggers[name])
				bad++
			}
		}
		if wrong += bad; bad > 0 && *findings != "" {
			must(os.WriteFile(filepath.Join(*findings, filepath.Base(file)), text, 0o644))
		}
	}
	fmt.Printf("Flagger %s: %d canaries, %d would run, %d disagreements\n", release, canaries, runs, wrong)
	if wrong > 0 || canaries == 0 {
		os.Exit(1)
	}
}
