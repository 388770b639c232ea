{{- /* SPDX-License-Identifier: Apache-2.0 */ -}}
{{- /*
For a template of the application's chart:

  {{ include "perch.hooks" (dict "chart" . "templates" (list "deployment.yaml" "configmap.yaml")) }}

A ConfigMap with what those templates render and, where the chart has one, its .perch.yaml, and a Job
before and after each upgrade and rollback. Argo CD takes them as hooks of its own, before and after a sync.
*/ -}}
{{- define "perch.hooks" -}}
{{- $chart := .chart -}}
apiVersion: v1
kind: ConfigMap
metadata:
  name: perch-desired-{{ $chart.Release.Name }}
  namespace: {{ $chart.Release.Namespace }}
  annotations:
    helm.sh/hook: pre-upgrade,pre-rollback
    helm.sh/hook-weight: "-10"
    helm.sh/hook-delete-policy: before-hook-creation
data:
  app: {{ $chart.Release.Name }}
  {{- range .templates }}
  {{ . | replace "/" "_" }}: {{ include (print $chart.Template.BasePath "/" .) $chart | toJson }}
  {{- end }}
  {{- with $chart.Files.Get ".perch.yaml" }}
  .perch.yaml: {{ . | toJson }}
  {{- end }}
---
{{ include "perch.job" (dict "chart" $chart "verb" "pre" "deadline" 180 "timeout" "2m") }}
---
{{ include "perch.job" (dict "chart" $chart "verb" "post" "deadline" 960 "timeout" "15m") }}
{{- end }}

{{- define "perch.job" -}}
{{- $perch := .chart.Values.perch -}}
apiVersion: batch/v1
kind: Job
metadata:
  name: perch-{{ .verb }}-{{ .chart.Release.Name }}
  namespace: {{ .chart.Release.Namespace }}
  annotations:
    helm.sh/hook: {{ .verb }}-upgrade,{{ .verb }}-rollback
    helm.sh/hook-weight: "-5"
    helm.sh/hook-delete-policy: before-hook-creation
spec:
  backoffLimit: 2
  activeDeadlineSeconds: {{ .deadline }}
  podFailurePolicy:
    rules:
      - action: FailJob
        onExitCodes: {containerName: perch, operator: In, values: [2, 4, 5]}
  template:
    spec:
      serviceAccountName: {{ $perch.serviceAccount }}
      restartPolicy: Never
      containers:
        - name: perch
          image: {{ $perch.image }}
          imagePullPolicy: IfNotPresent
          args: {{ concat (list "hook" .verb "--file=/desired" (print "--timeout=" .timeout)) $perch.args | toJson }}
          env:
            - name: PERCH_APP
              value: {{ .chart.Release.Name }}
          terminationMessagePolicy: FallbackToLogsOnError
          resources:
            requests: {cpu: 10m, memory: 32Mi}
            limits: {cpu: "1", memory: 256Mi}
          securityContext:
            runAsNonRoot: true
            runAsUser: 65532
            runAsGroup: 65532
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
            seccompProfile: {type: RuntimeDefault}
          volumeMounts:
            - name: desired
              mountPath: /desired
              readOnly: true
            - name: tmp
              mountPath: /tmp
      volumes:
        - name: desired
          configMap: {name: perch-desired-{{ .chart.Release.Name }}}
        - name: tmp
          emptyDir: {sizeLimit: 1Gi}
{{- end }}
