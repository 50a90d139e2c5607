{{- define "lintel.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "lintel.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- /* Takes (dict "root" $ "path" "/health/live" "key" "gateway"). Every listener responds to it; 5 s is more than its own limit. */ -}}
{{- define "lintel.healthProbe" -}}
httpGet:
  path: {{ .path }}
  port: http
  {{- if and (eq .key "gateway") .root.Values.gateway.tlsSecret }}
  scheme: HTTPS
  {{- end }}
timeoutSeconds: 5
{{- end -}}

{{- define "lintel.probes" -}}
startupProbe:
  {{- include "lintel.healthProbe" (dict "root" .root "key" .key "path" "/health/live") | nindent 2 }}
  periodSeconds: 1
  failureThreshold: 120
livenessProbe:
  {{- include "lintel.healthProbe" (dict "root" .root "key" .key "path" "/health/live") | nindent 2 }}
  periodSeconds: 10
  failureThreshold: 3
readinessProbe:
  {{- include "lintel.healthProbe" (dict "root" .root "key" .key "path" "/health/ready") | nindent 2 }}
  periodSeconds: 2
  failureThreshold: 2
{{- end -}}

{{- /* Where replicas run. A service's own affinity and constraints win. Takes (dict "root" $ "key" … "facts" …). */ -}}
{{- define "lintel.placement" -}}
{{- $values := index .root.Values .key -}}
{{- $selector := include "lintel.selectorLabels" (dict "root" .root "name" .facts.name) -}}
{{- $mode := .root.Values.antiAffinity -}}
{{- if $values.affinity }}
affinity:
  {{- toYaml $values.affinity | nindent 2 }}
{{- else if ne $mode "none" }}
affinity:
  podAntiAffinity:
    {{- if eq $mode "required" }}
    requiredDuringSchedulingIgnoredDuringExecution:
      - topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- $selector | nindent 12 }}
        # Replicas of the version before must not keep those of the next one away.
        matchLabelKeys: [pod-template-hash]
    {{- else }}
    preferredDuringSchedulingIgnoredDuringExecution:
      - weight: 100
        podAffinityTerm:
          topologyKey: kubernetes.io/hostname
          labelSelector:
            matchLabels:
              {{- $selector | nindent 14 }}
    {{- end }}
{{- end }}
{{- if $values.topologySpreadConstraints }}
topologySpreadConstraints:
  {{- toYaml $values.topologySpreadConstraints | nindent 2 }}
{{- else if ne $mode "none" }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    matchLabelKeys: [pod-template-hash]
    labelSelector:
      matchLabels:
        {{- $selector | nindent 8 }}
{{- end }}
{{- range $field := list "nodeSelector" "tolerations" }}
{{- with index $values $field }}
{{ $field }}:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- with $values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end -}}

{{- define "lintel.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}
