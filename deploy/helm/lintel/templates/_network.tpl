{{- define "lintel.toDns" -}}
- ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
  {{- with .Values.networkPolicy.dns.peers }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
{{- define "lintel.toPeers" -}}
- ports:
    {{- range .ports }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
  {{- with .peers }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{- /* Who may call a component: takes (dict "root" $ "key" "data"). */ -}}
{{- define "lintel.ingressRules" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{- if eq .key "gateway" }}
- ports: [{ protocol: TCP, port: http }]
  {{- with $policy.clients }}
  from:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
{{- range $caller, $facts := include "lintel.components" .root | fromYaml }}
{{- with get $facts.calls $.key }}
- ports:
    {{- range . }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
  from:
    - podSelector:
        matchLabels:
          {{- include "lintel.selectorLabels" (dict "root" $.root "name" $facts.name) | nindent 10 }}
{{- end }}
{{- end }}
{{- with $policy.monitoring }}
- ports: [{ protocol: TCP, port: metrics }]
  from:
    {{- toYaml . | nindent 4 }}
{{- end }}
{{- end -}}
