// SPDX-License-Identifier: Apache-2.0

package main

import "fmt"

// makeTemplate makes a pod template as a live one is: defaults filled in, quantities canonical.
func (a *app) makeTemplate() object {
	pod := object{
		"dnsPolicy": "ClusterFirst", "restartPolicy": "Always", "schedulerName": "default-scheduler",
		"terminationGracePeriodSeconds": pick(a.Rand, 30, 30, 60, 120), "securityContext": object{},
	}
	containers := []any{a.container(a.name, true)}
	for i := range pick(a.Rand, 0, 0, 0, 0, 0, 1) {
		containers = append(containers, a.container(fmt.Sprintf("sidecar-%d", i), false))
	}
	pod["containers"] = containers
	if a.IntN(8) == 0 {
		pod["initContainers"] = []any{a.container("migrate", false)}
	}
	if a.IntN(4) == 0 {
		pod["securityContext"] = object{"fsGroup": 2000, "runAsNonRoot": true, "runAsUser": 10000 + a.IntN(5), "seccompProfile": object{"type": "RuntimeDefault"}}
	}
	if a.IntN(2) == 0 {
		pod["serviceAccount"], pod["serviceAccountName"] = a.name, a.name
		pod["automountServiceAccountToken"] = a.IntN(2) == 0
	}
	a.place(pod)
	if a.number%3 == 0 {
		pod["volumes"] = a.volumes()
		mounts := []any{object{"mountPath": "/etc/app", "name": "config", "readOnly": true}, object{"mountPath": "/tmp", "name": "tmp"}}
		containers[0].(object)["volumeMounts"] = mounts
	}
	meta := object{"labels": object{"app": a.name, "app.kubernetes.io/name": a.name, "app.kubernetes.io/version": fmt.Sprintf("1.%d.0", a.IntN(40)), "team": a.namespace}}
	if a.IntN(4) > 0 {
		meta["annotations"] = object{"prometheus.io/scrape": "true", "prometheus.io/port": "9090", "description": pick(a.Rand, "Größe „klein“", "плюс & <минус>", "plain words", "emoji 🦩")}
	}
	return object{"metadata": meta, "spec": pod}
}

func (a *app) place(pod object) {
	if a.IntN(5) == 0 {
		pod["affinity"] = object{
			"nodeAffinity": object{"requiredDuringSchedulingIgnoredDuringExecution": object{"nodeSelectorTerms": []any{object{"matchExpressions": []any{
				object{"key": "kubernetes.io/arch", "operator": "In", "values": []any{"amd64", "arm64"}}}}}}},
			"podAntiAffinity": object{"preferredDuringSchedulingIgnoredDuringExecution": []any{object{"weight": 100, "podAffinityTerm": object{
				"labelSelector": object{"matchLabels": object{"app": a.name}}, "topologyKey": "kubernetes.io/hostname"}}}},
		}
	}
	if a.IntN(4) == 0 {
		pod["topologySpreadConstraints"] = []any{object{"labelSelector": object{"matchLabels": object{"app": a.name}}, "maxSkew": 1,
			"topologyKey": "topology.kubernetes.io/zone", "whenUnsatisfiable": pick(a.Rand, "ScheduleAnyway", "DoNotSchedule")}}
	}
	if a.IntN(3) == 0 {
		pod["nodeSelector"] = object{"kubernetes.io/os": "linux", "pool": pick(a.Rand, "general", "spot")}
	}
	if a.IntN(5) == 0 {
		pod["tolerations"] = []any{object{"effect": "NoSchedule", "key": "pool", "operator": "Equal", "value": "spot"},
			object{"effect": "NoExecute", "key": "node.kubernetes.io/unreachable", "operator": "Exists", "tolerationSeconds": 60}}
	}
}

func (a *app) container(name string, main bool) object {
	c := object{
		"name": name, "image": fmt.Sprintf("registry.example.com/%s:v%d.%d.%d", name, a.IntN(5), a.IntN(30), a.IntN(10)),
		"imagePullPolicy": "IfNotPresent", "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File",
		"resources": a.resources(), "env": a.environment(pick(a.Rand, 1, 2)),
	}
	if !main {
		c["args"] = []any{"--config=/etc/" + name + "/config.yaml", "--log-level=info"}
		return c
	}
	c["env"] = a.environment(pick(a.Rand, 1, 1, 2, 3, 8))
	c["command"] = []any{"/app/server", "--port=8080", "--name=" + a.name}
	c["ports"] = []any{object{"containerPort": 8080, "name": "http", "protocol": "TCP"}}
	if a.IntN(4) == 0 {
		c["ports"] = append(c["ports"].([]any), object{"containerPort": 9090, "name": "metrics", "protocol": "TCP"})
	}
	c["readinessProbe"] = probe("/readyz")
	if a.IntN(2) == 0 {
		c["livenessProbe"] = probe("/healthz")
	}
	if a.IntN(8) == 0 {
		c["startupProbe"] = object{"failureThreshold": 30, "periodSeconds": 2, "successThreshold": 1, "timeoutSeconds": 1, "tcpSocket": object{"port": 8080}}
	}
	if a.IntN(2) == 0 {
		c["securityContext"] = object{"allowPrivilegeEscalation": false, "readOnlyRootFilesystem": true, "capabilities": object{"drop": []any{"ALL"}}}
	}
	if a.IntN(3) == 0 {
		c["lifecycle"] = object{"preStop": object{"exec": object{"command": []any{"/bin/sleep", "5"}}}}
	}
	if a.IntN(3) == 0 {
		c["envFrom"] = []any{object{"configMapRef": object{"name": a.name + "-env"}}, object{"secretRef": object{"name": a.name + "-keys"}}}
		a.configs = append(a.configs, "configmap/"+a.name+"-env", "secret/"+a.name+"-keys")
	}
	return c
}

func probe(path string) object {
	return object{"failureThreshold": 3, "initialDelaySeconds": 5, "periodSeconds": 10, "successThreshold": 1, "timeoutSeconds": 5,
		"httpGet": object{"path": path, "port": "http", "scheme": "HTTP"}}
}

func (a *app) resources() object {
	return object{
		"limits":   object{"cpu": pick(a.Rand, "1", "2", "500m"), "memory": pick(a.Rand, "512Mi", "1Gi", "1500M")},
		"requests": object{"cpu": pick(a.Rand, "100m", "250m", "50m"), "memory": pick(a.Rand, "128Mi", "100Mi", "64Mi")},
	}
}

func (a *app) environment(n int) []any {
	var env []any
	if a.IntN(3) == 0 {
		env = append(env, object{"name": "POD_NAME", "valueFrom": object{"fieldRef": object{"apiVersion": "v1", "fieldPath": "metadata.name"}}})
	}
	if a.IntN(6) == 0 {
		env = append(env, object{"name": "GOMAXPROCS", "valueFrom": object{"resourceFieldRef": object{"divisor": "0", "resource": "limits.cpu"}}})
	}
	for i := range n {
		env = append(env, object{"name": fmt.Sprintf("SETTING_%02d", i), "value": pick(a.Rand, "true", "info", "http://backend.svc:8080/v1?x=1&y=2",
			"postgres://db.svc:5432/main", "30s", "ключ", "{\"json\": [1, 2, 3]}")})
	}
	return env
}

func (a *app) volumes() []any {
	a.configs = append(a.configs, "configmap/"+a.name+"-config")
	return []any{
		object{"name": "config", "configMap": object{"defaultMode": 420, "name": a.name + "-config"}},
		object{"name": "tmp", "emptyDir": pick(a.Rand, object{}, object{"sizeLimit": "256Mi"}, object{"medium": "Memory", "sizeLimit": "100Mi"})},
	}
}
