// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"fmt"
	"math/rand"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

var (
	templateType = reflect.TypeOf(corev1.PodTemplateSpec{})
	podSpecType  = reflect.TypeOf(corev1.PodSpec{})
	quantityType = reflect.TypeOf(resource.Quantity{})
	intstrType   = reflect.TypeOf(intstr.IntOrString{})
	timeType     = reflect.TypeOf(metav1.Time{})
	listType     = reflect.TypeOf(corev1.ResourceList{})
)

// Random values of a Go type, as JSON a person could have written.
type generator struct{ *rand.Rand }

func (g generator) chance(percent int) bool { return g.Intn(100) < percent }

func pick[T any](g generator, from ...T) T { return from[g.Intn(len(from))] }

// Structs of which exactly one field may be set, or one of those named.
var oneOf = map[string][]string{
	"VolumeSource": {}, "VolumeProjection": {}, "EnvVarSource": {}, "LifecycleHandler": {}, "ProbeHandler": {},
	"EnvFromSource": {"ConfigMapRef", "SecretRef"}, "PodResourceClaim": {"ResourceClaimName", "ResourceClaimTemplateName"},
	"EnvVar": {"Value", "ValueFrom"},
}

// What no template can have, or what is refused together with most of the rest.
var never = map[string]bool{
	"PodSpec.EphemeralContainers": true, "PodSpec.ActiveDeadlineSeconds": true, "PodSpec.RestartPolicy": true,
	"PodSpec.SchedulingGroup": true, "PodSpec.Priority": true, "PodSpec.OS": true, "ObjectMeta.Labels": true,
	"PodSecurityContext.WindowsOptions": true, "SecurityContext.WindowsOptions": true, "Toleration.Operator": true,
	"Container.VolumeDevices": true, "VolumeSource.GitRepo": true, "PodSpec.HostUsers": true,
}

// What is seldom accepted, and so seldom tried.
var seldom = map[string]bool{
	"PodSpec.DeprecatedServiceAccount": true, "PodSpec.HostnameOverride": true, "PodSpec.Overhead": true,
	"Container.RestartPolicyRules": true, "Lifecycle.StopSignal": true, "EnvVarSource.FileKeyRef": true,
	"Container.RestartPolicy": true, "PodAffinityTerm.MatchLabelKeys": true, "PodAffinityTerm.MismatchLabelKeys": true,
	"TopologySpreadConstraint.MatchLabelKeys": true, "PodSpec.Resources": true, "Container.ResizePolicy": true,
	"ContainerPort.HostPort": true, "PersistentVolumeClaimSpec.DataSource": true, "PersistentVolumeClaimSpec.DataSourceRef": true,
	"VolumeMount.RecursiveReadOnly": true, "VolumeProjection.ClusterTrustBundle": true, "VolumeProjection.PodCertificate": true,
	"PodSpec.SetHostnameAsFQDN": true, "Probe.TerminationGracePeriodSeconds": true, "ResourceRequirements.Claims": true,
}

// What is left out seldom enough to have a row of its own: it is a key.
var always = map[string]bool{"LocalObjectReference.Name": true, "HostAlias.IP": true}

// Values for strings of a type (enumerations) or a field that must look like something.
var words = map[string][]string{
	"PullPolicy": {"Always", "IfNotPresent", "Never"}, "Protocol": {"TCP", "UDP", "SCTP"},
	"TerminationMessagePolicy": {"File", "FallbackToLogsOnError"}, "DNSPolicy": {"ClusterFirst", "Default", "ClusterFirstWithHostNet"},
	"TaintEffect": {"", "NoSchedule", "NoExecute"}, "NodeSelectorOperator": {"In", "NotIn"},
	"LabelSelectorOperator": {"In", "NotIn"}, "UnsatisfiableConstraintAction": {"DoNotSchedule", "ScheduleAnyway"},
	"NodeInclusionPolicy": {"Honor", "Ignore"}, "MountPropagationMode": {"None", "HostToContainer"},
	"HostPathType": {"", "Directory", "File"}, "URIScheme": {"HTTP", "HTTPS"}, "StorageMedium": {"", "Memory"},
	"SeccompProfileType": {"RuntimeDefault", "Unconfined"}, "AppArmorProfileType": {"RuntimeDefault", "Unconfined"},
	"ProcMountType": {"Default"}, "Capability": {"NET_ADMIN", "SYS_TIME", "ALL"},
	"PersistentVolumeAccessMode": {"ReadWriteOnce", "ReadOnlyMany"}, "PersistentVolumeMode": {"Filesystem", "Block"},
	"PreemptionPolicy": {"PreemptLowerPriority", "Never"}, "PodFSGroupChangePolicy": {"OnRootMismatch", "Always"},
	"SupplementalGroupsPolicy": {"Merge", "Strict"}, "PodSELinuxChangePolicy": {"MountOption", "Recursive"},
	"TolerationOperator": {"Exists"}, "ConditionType": {"a.example/ready", "b"}, "PodConditionType": {"a.example/ready", "b"},
	"AzureDataDiskKind": {"Shared"}, "AzureDataDiskCachingMode": {"None", "ReadOnly"}, "ResourceName": {"cpu", "memory"},

	"Toleration.Value": {""}, "ObjectFieldSelector.APIVersion": {"v1", ""}, "ObjectFieldSelector.FieldPath": {"metadata.name", "metadata.namespace", "metadata.uid"},
	"DownwardAPIVolumeFile.Path": {"p", "q/r"}, "Container.Image": {"x", "x:1", "x:latest", "r.example:5000/a/x:v2", "x@sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
	"ImageVolumeSource.Reference": {"x", "x:1", "x:latest"}, "EnvVar.Name": {"A", "B", "C", "D", "E_F", "g.h"}, "EnvVar.Value": {"", "1", "true", "ä\u2028\"\\<&>", "line\nline", "$(A)"},
	"VolumeMount.MountPath": {"/a", "/b", "/c/d", "/e"}, "VolumeMount.SubPath": {"", "s", "s/t"}, "VolumeMount.SubPathExpr": {""}, "VolumeDevice.DevicePath": {"/dev/a", "/dev/b"},
	"HostAlias.IP": {"10.0.0.1", "10.0.0.2", "fd00::1"}, "PodDNSConfig.Nameservers": {"10.0.0.1", "10.0.0.3"}, "ContainerPort.HostIP": {"", "127.0.0.1"},
	"HTTPGetAction.Path": {"", "/", "/x?y=1"}, "HTTPGetAction.Host": {"", "h"}, "HTTPHeader.Name": {"A", "X-B", "Host"}, "HTTPHeader.Value": {"", "v w"},
	"Container.TerminationMessagePath": {"/dev/termination-log", "/m"}, "Container.WorkingDir": {"", "/w"}, "EnvFromSource.Prefix": {"", "P_"},
	"SeccompProfile.LocalhostProfile": {""}, "AppArmorProfile.LocalhostProfile": {""}, "Sysctl.Name": {"kernel.shm_rmid_forced", "net.ipv4.tcp_syncookies"}, "Sysctl.Value": {"0", "1"},
	"NFSVolumeSource.Path": {"/n"}, "HostPathVolumeSource.Path": {"/h"}, "PodSpec.Hostname": {"h"}, "PodSpec.Subdomain": {"s"}, "PodSpec.SchedulerName": {"default-scheduler", "mine"},
	"KeyToPath.Path": {"a", "b/c"}, "ServiceAccountTokenProjection.Path": {"tok"}, "ISCSIVolumeSource.IQN": {"iqn.2001-04.com.example:storage.disk1"}, "ISCSIVolumeSource.TargetPortal": {"10.0.0.1:3260"},
	"AzureDiskVolumeSource.DataDiskURI": {"/subscriptions/a"}, "QuobyteVolumeSource.Registry": {"h:1"}, "PodReadinessGate.ConditionType": {"a.example/r"},
	"ResourceFieldSelector.Resource": {"limits.cpu", "requests.memory"}, "PodDNSConfigOption.Name": {"ndots", "edns0"}, "PodSpec.NodeName": {"n1", "n2"},
	"TopologySpreadConstraint.TopologyKey": {"zone", "host"}, "PodAffinityTerm.TopologyKey": {"zone", "host"}, "PodSchedulingGate.Name": {"a.b/c", "d"},
	"ScaleIOVolumeSource.Gateway": {"https://g"}, "FCVolumeSource.TargetWWNs": {"w1"}, "FCVolumeSource.WWIDs": {"w2"}, "Volume.Name": {"v1", "v2", "v3", "v4"},
	"VolumeMount.Name": {"v1", "v2", "v3", "v4"}, "VolumeDevice.Name": {"v1", "v2"}, "PortworxVolumeSource.VolumeID": {"pw"}, "ContainerRestartPolicy": {"Always", "Never", "OnFailure"},
	"ContainerRestartRuleAction": {"Restart"}, "ContainerRestartRuleOnExitCodesOperator": {"In", "NotIn"}, "ResourceResizeRestartPolicy": {"NotRequired", "RestartContainer"},
	"RecursiveReadOnlyMode": {"Disabled", "IfPossible", "Enabled"}, "Signal": {"SIGTERM", "SIGUSR1"}, "FileKeySelector.VolumeName": {"v1", "v2"}, "FileKeySelector.Key": {"K"},
	"PodSpec.DeprecatedServiceAccount": {"a", "b"}, "PodSpec.ServiceAccountName": {"a", "b"}, "ResourceClaim.Name": {"a", "b"},
}

// Bounds of integers that validation is strict about.
var bounds = map[string][2]int{
	"ContainerPort.ContainerPort": {80, 84}, "GRPCAction.Port": {1, 9}, "KeyToPath.Mode": {0, 511}, "DownwardAPIVolumeFile.Mode": {0, 511},
	"PreferredSchedulingTerm.Weight": {1, 100}, "WeightedPodAffinityTerm.Weight": {1, 100}, "TopologySpreadConstraint.MaxSkew": {1, 3},
	"TopologySpreadConstraint.MinDomains": {1, 3}, "ServiceAccountTokenProjection.ExpirationSeconds": {600, 4000}, "FCVolumeSource.Lun": {0, 255},
	"PodSpec.TerminationGracePeriodSeconds": {0, 60}, "Probe.SuccessThreshold": {1, 1}, "SleepAction.Seconds": {1, 20}, "ISCSIVolumeSource.Lun": {0, 255},
}

var quantities = []any{
	"1", "100m", "1500m", "0.5", "1.5", "2Gi", "1024Mi", "1.5Gi", "1e3", "1E", "128974848", "129e6", "+1", "5.", ".5", "0", "0Mi", "1000", "1k", "0.1m", "100u", "1Ki",
	"9223372036854775807", json.Number("1"), json.Number("2.5"), json.Number("1000"), "12345678901234567890", "3M", "250n", "1.0", " 1 ", "007", "1.8Gi",
}

func (g generator) value(t reflect.Type, where string, depth int) any {
	if byField, ok := words[where]; ok && (t.Kind() == reflect.String || t.Kind() == reflect.Pointer) {
		return pick(g, byField...)
	}
	switch t {
	case quantityType:
		return pick(g, quantities...)
	case intstrType:
		return pick[any](g, json.Number("80"), "http", json.Number("8080"))
	case timeType:
		return nil
	case listType:
		return g.resources()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.value(t.Elem(), where, depth)
	case reflect.Struct:
		return g.structure(t, depth)
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return "YQ=="
		}
		list := []any{}
		for range g.Intn(3) + 1 {
			list = append(list, g.value(t.Elem(), where, depth+1))
		}
		return list
	case reflect.Map:
		m := map[string]any{}
		for range g.Intn(3) + 1 {
			m[pick(g, "a", "b", "c.example/d", "e_f", "true")] = g.value(t.Elem(), "", depth+1)
		}
		return m
	case reflect.String:
		if values, ok := words[t.Name()]; ok {
			return pick(g, values...)
		}
		return pick(g, "a", "b", "c-d", "e1")
	case reflect.Bool:
		return g.chance(50)
	case reflect.Int32, reflect.Int64:
		low, high := 0, 20
		if b, ok := bounds[where]; ok {
			low, high = b[0], b[1]
		}
		return json.Number(fmt.Sprint(low + g.Intn(high-low+1)))
	}
	panic("no values of " + t.String())
}

// Requests stay within limits where the same list is taken for both; validation cares.
func (g generator) resources() map[string]any {
	m := map[string]any{}
	for range g.Intn(3) + 1 {
		m[pick(g, "cpu", "memory", "ephemeral-storage")] = pick(g, quantities...)
	}
	return m
}

func (g generator) structure(t reflect.Type, depth int) map[string]any {
	m := map[string]any{}
	fields := fieldsOf(t)
	alternatives, exclusive := oneOf[t.Name()]
	if exclusive && len(alternatives) == 0 {
		g.put(m, t, fields[g.Intn(len(fields))], depth)
		return m
	}
	if exclusive {
		f, _ := t.FieldByName(pick(g, alternatives...))
		g.put(m, t, f, depth)
	}
	for _, f := range fields {
		if slices.Contains(alternatives, f.Name) {
			continue
		}
		required := !strings.Contains(f.Tag.Get("json"), "omitempty") || always[t.Name()+"."+f.Name]
		odds := 45 - 8*depth
		if seldom[t.Name()+"."+f.Name] {
			odds = 8
		}
		if required || oneOf[f.Type.Name()] != nil || g.chance(odds) {
			g.put(m, t, f, depth)
		}
	}
	return m
}

func (g generator) put(m map[string]any, t reflect.Type, f reflect.StructField, depth int) {
	name := jsonName(f)
	where := t.Name() + "." + f.Name
	if never[where] {
		return
	}
	if name == "" { // embedded
		for key, v := range g.structure(f.Type, depth) {
			m[key] = v
		}
		return
	}
	m[name] = g.value(f.Type, where, depth+1)
}

func fieldsOf(t reflect.Type) []reflect.StructField {
	var fields []reflect.StructField
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && !never[t.Name()+"."+f.Name] {
			fields = append(fields, f)
		}
	}
	return fields
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}

// A whole workload: parts at random, then made to fit together.
func (g generator) workload(kind, name string) object {
	o := plain(kind, name)
	spec := g.structure(podSpecType, 0)
	spec["containers"] = []any{g.container("c")}
	for i := range g.Intn(3) {
		spec["containers"] = append(spec["containers"].([]any), g.container(fmt.Sprintf("c%d", i)))
	}
	delete(spec, "initContainers")
	if g.chance(40) {
		spec["initContainers"] = []any{g.container("i0")}
	}
	volumes := []any{}
	for i := range 4 {
		v := g.structure(reflect.TypeOf(corev1.VolumeSource{}), 1)
		v["name"] = fmt.Sprintf("v%d", i+1)
		volumes = append(volumes, v)
	}
	spec["volumes"] = volumes
	for _, list := range [][2]string{{"hostAliases", "ip"}, {"imagePullSecrets", "name"}, {"topologySpreadConstraints", "topologyKey"}} {
		if items, ok := spec[list[0]].([]any); ok {
			spec[list[0]] = distinct(items, list[1])
		}
	}
	o.mapAt("spec", "template")["spec"] = spec
	if g.chance(60) {
		o.mapAt("spec", "template", "metadata")["annotations"] = g.value(reflect.TypeOf(map[string]string{}), "", 1)
	}
	if g.chance(50) {
		o.mapAt("spec")["replicas"] = json.Number(fmt.Sprint(g.Intn(5)))
	}
	if kind == "DaemonSet" {
		delete(o.mapAt("spec"), "replicas")
	}
	return o
}

func (g generator) container(name string) map[string]any {
	c := g.structure(reflect.TypeOf(corev1.Container{}), 1)
	c["name"] = name
	c["image"] = pick(g, words["Container.Image"]...)
	for _, list := range [][2]string{{"env", "name"}, {"volumeMounts", "mountPath"}, {"volumeDevices", "devicePath"}, {"ports", "containerPort"}} {
		if items, ok := c[list[0]].([]any); ok && g.chance(90) {
			c[list[0]] = distinct(items, list[1])
		}
	}
	return c
}

func distinct(items []any, key string) []any {
	seen := map[any]bool{}
	var out []any
	for _, item := range items {
		k := item.(map[string]any)[key]
		if !seen[k] {
			seen[k] = true
			out = append(out, item)
		}
	}
	return out
}
