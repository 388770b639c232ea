// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"encoding/json"
	"github.com/davecgh/go-spew/spew"

	appsv1 "k8s.io/api/apps/v1"
	apirand "k8s.io/apimachinery/pkg/util/rand"
	kjson "sigs.k8s.io/json"
)

type object = map[string]any

// An app is one canary with its workload. Everything about it follows from the seed and its number.
type app struct {
	*rand.Rand
	name, namespace string
	number          int
	template        object // of the target, as the API server gives it
	promoted        object // what was promoted; differs where a change is pending
	configs         []string
}

func newApp(seed uint64, number int) *app {
	r := rand.New(rand.NewPCG(seed, uint64(number)))
	a := &app{Rand: r, number: number}
	a.name = fmt.Sprintf("%s-%s-%d", pick(r, "shop", "cart", "user", "mail", "search", "media"), pick(r, "api", "web", "worker", "gateway"), number)
	a.namespace = fmt.Sprintf("team-%02d", number%40)
	a.promoted = a.makeTemplate()
	a.template = a.promoted
	if number%20 == 7 {
		a.template = deepCopy(a.promoted)
		firstContainer(a.template)["image"] = "registry.example.com/" + a.name + ":v9.9.9"
	}
	return a
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

func deepCopy(o object) object {
	text, err := json.Marshal(o)
	if err != nil {
		panic(err)
	}
	var c object
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &c); err != nil {
		panic(err)
	}
	return c
}

func firstContainer(template object) object {
	return template["spec"].(object)["containers"].([]any)[0].(object)
}

// hash is Flagger 1.37's of a pod template.
func hash(template object) string {
	text, err := json.Marshal(object{"spec": object{"template": template}})
	if err != nil {
		panic(err)
	}
	var d appsv1.Deployment
	if err := kjson.UnmarshalCaseSensitivePreserveInts(text, &d); err != nil {
		panic(err)
	}
	hasher := fnv.New32a()
	printer := spew.ConfigState{Indent: " ", SortKeys: true, DisableMethods: true, SpewKeys: true}
	printer.Fprintf(hasher, "%#v", d.Spec.Template)
	return apirand.SafeEncodeString(fmt.Sprint(hasher.Sum32()))
}

func (a *app) metadata(name, created string) object {
	return object{
		"name": name, "namespace": a.namespace, "creationTimestamp": created, "generation": 7,
		"resourceVersion": fmt.Sprint(1000000 + 10*a.number), "uid": uid(a.namespace + "/" + name),
	}
}

func uid(of string) string {
	h := fnv.New128a()
	h.Write([]byte(of))
	s := fmt.Sprintf("%x", h.Sum(nil))
	return s[:8] + "-" + s[8:12] + "-4" + s[13:16] + "-8" + s[17:20] + "-" + s[20:]
}

func (a *app) canary() object {
	stored := hash(a.promoted)
	tracked := object{}
	for _, c := range a.configs {
		tracked[c] = fmt.Sprintf("%016x", 0x5eed0000+uint64(a.number))
	}
	phase := pick(a.Rand, "Initialized", "Succeeded", "Succeeded")
	meta := a.metadata(a.name, "2026-01-10T08:00:00Z")
	meta["finalizers"] = []any{"finalizer.flagger.app"}
	meta["labels"] = a.trackingLabels()
	spec := object{
		"provider":                "kubernetes",
		"progressDeadlineSeconds": 600,
		"targetRef":               object{"apiVersion": "apps/v1", "kind": "Deployment", "name": a.name},
		"service":                 object{"port": 80, "targetPort": "http", "portName": "http"},
		"analysis": object{"interval": "30s", "threshold": 5, "iterations": 10,
			"metrics": []any{object{"name": "request-success-rate", "interval": "1m", "thresholdRange": object{"min": 99}}}, "webhooks": []any{
				object{"name": "load-test", "type": "rollout", "url": "http://loadtester.flagger-system/", "timeout": "5s",
					"metadata": object{"cmd": "hey -z 1m -q 10 -c 2 http://" + a.name + "-canary." + a.namespace + "/"}}}},
	}
	meta["managedFields"] = []any{
		managed("kustomize-controller", "Apply", "flagger.app/v1beta1", "", object{"metadata": object{"labels": meta["labels"]}, "spec": spec}),
		managed("flagger", "Update", "flagger.app/v1beta1", "", object{"metadata": object{"finalizers": []any{}}}),
	}
	status := object{
		"phase": phase, "canaryWeight": 0, "failedChecks": 0, "iterations": 0,
		"lastAppliedSpec": stored, "lastPromotedSpec": stored, "trackedConfigs": tracked,
		"lastTransitionTime": "2026-02-01T10:00:00Z",
		"conditions": []any{object{"type": "Promoted", "status": "True", "reason": phase, "message": "Canary analysis completed successfully, promotion finished.",
			"lastTransitionTime": "2026-02-01T10:00:00Z", "lastUpdateTime": "2026-02-01T10:00:00Z"}},
	}
	return object{"apiVersion": "flagger.app/v1beta1", "kind": "Canary", "metadata": meta, "spec": spec, "status": status}
}

func (a *app) trackingLabels() object {
	return object{"app.kubernetes.io/name": a.name, "kustomize.toolkit.fluxcd.io/name": "apps", "kustomize.toolkit.fluxcd.io/namespace": "flux-system"}
}

func (a *app) target() object {
	meta := a.metadata(a.name, "2026-01-10T08:00:00Z")
	meta["labels"] = a.trackingLabels()
	meta["annotations"] = object{"deployment.kubernetes.io/revision": "7"}
	spec := deploymentSpec(0, object{"app": a.name}, a.template)
	applied := object{"metadata": object{"labels": meta["labels"]}, "spec": withoutDefaults(spec)}
	meta["managedFields"] = []any{
		managed("kustomize-controller", "Apply", "apps/v1", "", applied),
		managed("flagger", "Update", "apps/v1", "", object{"spec": object{"replicas": 0}}),
		managed("kube-controller-manager", "Update", "apps/v1", "status", object{
			"metadata": object{"annotations": meta["annotations"]}, "status": deploymentStatus(0)}),
	}
	return object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta, "spec": spec, "status": deploymentStatus(0)}
}

var defaults = map[string]any{
	"replicas": nil, "progressDeadlineSeconds": nil, "revisionHistoryLimit": nil, "strategy": nil, "dnsPolicy": nil, "restartPolicy": nil, "schedulerName": nil,
	"serviceAccount": nil, "terminationMessagePath": nil, "terminationMessagePolicy": nil, "imagePullPolicy": nil, "failureThreshold": 3, "successThreshold": 1,
	"periodSeconds": 10, "scheme": nil, "defaultMode": 420, "divisor": nil, "apiVersion": nil, "terminationGracePeriodSeconds": 30,
}

// withoutDefaults leaves what an engine applied: not what the API server filled in.
func withoutDefaults(o object) object {
	kept := object{}
	for k, v := range o {
		if d, ok := defaults[k]; ok && (d == nil || d == v) {
			continue
		}
		switch v := v.(type) {
		case object:
			if len(v) > 0 || k != "securityContext" {
				kept[k] = withoutDefaults(v)
			}
		case []any:
			items := slices.Clone(v)
			for i, e := range items {
				if item, ok := e.(object); ok {
					items[i] = withoutDefaults(item)
				}
			}
			kept[k] = items
		default:
			kept[k] = v
		}
	}
	return kept
}

// primary is what Flagger makes of the promoted template (its rules: flagger.md §5).
func (a *app) primary() object {
	template := deepCopy(a.promoted)
	pod := template["spec"].(object)
	meta := template["metadata"].(object)
	meta["labels"].(object)["app"] = a.name + "-primary"
	annotations, _ := meta["annotations"].(object)
	if annotations == nil {
		annotations = object{}
		meta["annotations"] = annotations
	}
	annotations["flagger-id"] = uid("flagger-id/" + a.name)
	renameRefs(pod, a.configs)
	for _, term := range labelSelectors(pod) {
		if l, ok := term["matchLabels"].(object); ok && l["app"] == a.name {
			l["app"] = a.name + "-primary"
		}
	}
	name := a.name + "-primary"
	own := a.metadata(name, "2026-01-10T08:01:00Z")
	own["labels"] = object{"app": name}
	own["annotations"] = object{"deployment.kubernetes.io/revision": "6"}
	own["ownerReferences"] = []any{object{"apiVersion": "flagger.app/v1beta1", "blockOwnerDeletion": true, "controller": true,
		"kind": "Canary", "name": a.name, "uid": uid(a.namespace + "/" + a.name)}}
	spec := deploymentSpec(2, object{"app": name}, template)
	own["managedFields"] = []any{
		managed("flagger", "Update", "apps/v1", "", object{"metadata": object{"labels": own["labels"], "ownerReferences": []any{}}, "spec": spec}),
		managed("kube-controller-manager", "Update", "apps/v1", "status", object{
			"metadata": object{"annotations": own["annotations"]}, "status": deploymentStatus(2)}),
	}
	return object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": own, "spec": spec, "status": deploymentStatus(2)}
}

func deploymentSpec(replicas int, labels, template object) object {
	return object{
		"replicas": replicas, "progressDeadlineSeconds": 600, "revisionHistoryLimit": 10, "minReadySeconds": 3,
		"selector": object{"matchLabels": labels},
		"strategy": object{"type": "RollingUpdate", "rollingUpdate": object{"maxSurge": "25%", "maxUnavailable": "25%"}},
		"template": template,
	}
}

func deploymentStatus(replicas int) object {
	s := object{"observedGeneration": 7, "conditions": []any{
		object{"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable", "message": "Deployment has minimum availability.",
			"lastTransitionTime": "2026-02-01T10:00:00Z", "lastUpdateTime": "2026-02-01T10:00:00Z"},
		object{"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable", "message": "ReplicaSet has successfully progressed.",
			"lastTransitionTime": "2026-02-01T10:00:00Z", "lastUpdateTime": "2026-02-01T10:00:00Z"}}}
	if replicas > 0 {
		for _, k := range []string{"replicas", "readyReplicas", "updatedReplicas", "availableReplicas"} {
			s[k] = replicas
		}
	}
	return s
}

// renameRefs gives every tracked ConfigMap and Secret that a container or volume reads its primary's name.
func renameRefs(v any, configs []string) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			renameRefs(e, configs)
		}
	case object:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			kind, key := "", "name"
			switch k {
			case "configMap", "configMapRef", "configMapKeyRef":
				kind = "configmap/"
			case "secretRef", "secretKeyRef":
				kind = "secret/"
			case "secret":
				kind, key = "secret/", "secretName"
			}
			if ref, ok := v[k].(object); ok && kind != "" {
				if name, _ := ref[key].(string); slices.Contains(configs, kind+name) {
					ref[key] = name + "-primary"
				}
			}
			renameRefs(v[k], configs)
		}
	}
}

// labelSelectors gives those of pod anti-affinity and topology spread.
func labelSelectors(pod object) []object {
	var found []object
	if spread, ok := pod["topologySpreadConstraints"].([]any); ok {
		for _, c := range spread {
			found = append(found, c.(object)["labelSelector"].(object))
		}
	}
	if affinity, ok := pod["affinity"].(object); ok {
		if anti, ok := affinity["podAntiAffinity"].(object); ok {
			for _, t := range anti["preferredDuringSchedulingIgnoredDuringExecution"].([]any) {
				found = append(found, t.(object)["podAffinityTerm"].(object)["labelSelector"].(object))
			}
		}
	}
	return found
}

// flagger is the Deployment of Flagger itself.
func flagger() object {
	a := &app{name: "flagger", namespace: "flagger-system"}
	labels := object{"app.kubernetes.io/name": "flagger", "app.kubernetes.io/version": "1.37.0"}
	meta := a.metadata("flagger", "2025-11-01T08:00:00Z")
	meta["labels"] = labels
	container := object{"name": "flagger", "image": "ghcr.io/fluxcd/flagger:1.37.0", "imagePullPolicy": "IfNotPresent",
		"command":                []any{"./flagger", "-log-level=info", "-mesh-provider=kubernetes", "-metrics-server=http://prometheus:9090"},
		"ports":                  []any{object{"name": "http", "containerPort": 8080, "protocol": "TCP"}},
		"resources":              object{"limits": object{"cpu": "1", "memory": "512Mi"}, "requests": object{"cpu": "10m", "memory": "32Mi"}},
		"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File"}
	template := object{"metadata": object{"labels": object{"app.kubernetes.io/name": "flagger"}}, "spec": object{
		"containers": []any{container}, "dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler",
		"securityContext": object{}, "serviceAccount": "flagger", "serviceAccountName": "flagger", "terminationGracePeriodSeconds": 30}}
	spec := deploymentSpec(1, object{"app.kubernetes.io/name": "flagger"}, template)
	spec["strategy"] = object{"type": "Recreate"}
	meta["managedFields"] = []any{managed("helm-controller", "Update", "apps/v1", "", object{"metadata": object{"labels": labels}, "spec": spec})}
	return object{"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta, "spec": spec, "status": deploymentStatus(1)}
}

// A managedFields entry for exactly these fields.
func managed(manager, operation, apiVersion, subresource string, fields object) object {
	m := object{"manager": manager, "operation": operation, "apiVersion": apiVersion, "time": "2026-02-01T10:00:00Z",
		"fieldsType": "FieldsV1", "fieldsV1": fieldsOf("", fields)}
	if subresource != "" {
		m["subresource"] = subresource
	}
	return m
}

// Keys of lists that server-side apply merges item by item.
var listKeys = map[string][]string{
	"containers": {"name"}, "initContainers": {"name"}, "env": {"name"}, "volumes": {"name"}, "volumeMounts": {"mountPath"},
	"ports": {"containerPort", "protocol"}, "imagePullSecrets": {"name"}, "topologySpreadConstraints": {"topologyKey", "whenUnsatisfiable"},
	"conditions": {"type"}, "ownerReferences": {"uid"}, "hostAliases": {"ip"},
}

func fieldsOf(field string, v any) object {
	set := object{}
	switch v := v.(type) {
	case object:
		if field == "nodeSelector" || strings.HasSuffix(field, "elector") && field != "" || field == "resources.claims" {
			return set // atomic
		}
		for k, e := range v {
			set["f:"+k] = fieldsOf(k, e)
		}
	case []any:
		keys := listKeys[field]
		for _, e := range v {
			item, ok := e.(object)
			if keys == nil || !ok {
				return object{} // atomic
			}
			inner := fieldsOf("", item)
			inner["."] = object{}
			set[itemKey(keys, item)] = inner
		}
	}
	return set
}

func itemKey(keys []string, item object) string {
	key := object{}
	for _, k := range keys {
		key[k] = item[k]
	}
	text, err := json.Marshal(key)
	if err != nil {
		panic(err)
	}
	return "k:" + string(text)
}
