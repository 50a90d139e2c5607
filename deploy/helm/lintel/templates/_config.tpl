{{- /*
  The properties of a component, as YAML: what follows from the other values, `config` of all, its own `config`.
  Takes (dict "root" $ "key" "data" "facts" …).
*/ -}}
{{- define "lintel.properties" -}}
{{- $values := index .root.Values .key -}}
{{- $derived := include "lintel.derivedProperties" . | fromYaml -}}
{{- /* Workers run the same reports and jobs. */ -}}
{{- $shared := get (dict "reportsWorkers" .root.Values.reports.config "dataWorkers" .root.Values.data.config) .key -}}
{{- $given := mustMergeOverwrite dict .root.Values.config (default dict $shared) (default dict $values.config) -}}
{{- range $name, $_ := $given -}}
{{- if regexMatch (include "lintel.secretNames" $) $name -}}
{{- fail (printf "config: %s is a secret: name it, with the Secret that has its value, in secretProperties or in secrets" $name) -}}
{{- end -}}
{{- end -}}
{{- toYaml (mustMergeOverwrite $derived $given) -}}
{{- end -}}

{{- /* Pattern of the names of secret properties. */ -}}
{{- define "lintel.secretNames" -}}
\.(secret|password|url|urls|broker-urls|client-secret|bind-password|token|former-token|access-key|secret-key|read-urls|report-datasource-url|direct-url|application-url|signing-key|key-encryption-secret|initial-access-token|entity-serialization-token-encryption-key|encryption-key)(-file)?$
{{- end -}}

{{- define "lintel.derivedProperties" -}}
{{- $values := index .root.Values .key -}}
{{- $name := include "lintel.fullname" .root -}}
{{- $shutdown := include "lintel.shutdown" (dict "root" .root "values" $values) | fromYaml -}}
svc.application: {{ .root.Values.application | quote }}
svc.log.level: {{ .root.Values.logLevel }}
svc.security.profile: {{ .root.Values.securityProfile }}
{{- with .root.Values.allowInsecure }}
svc.security.allow-insecure: {{ join "," . }}
{{- end }}
svc.shutdown.delay: {{ $shutdown.delaySeconds }}s
svc.shutdown.timeout: {{ $shutdown.timeoutSeconds }}s
{{- $_ := include "lintel.publicUrl" .root }}
svc.authserver.issuer: {{ .root.Values.publicUrl | quote }}
svc.authserver.jwks-url: http://{{ $name }}-auth-internal:8081/oauth2/jwks
svc.authserver.internal-url: http://{{ $name }}-auth-internal:9081
{{- if has "redis" .facts.backends }}
{{- include "lintel.redisProperties" .root }}
{{- end }}
{{- if eq .key "gateway" }}
{{- range $called, $_ := .facts.calls }}
{{- $port := (index (include "lintel.components" $.root | fromYaml) $called).port }}
svc.gateway.{{ $called }}-url: http://{{ $name }}-{{ $called }}:{{ $port }}
{{- end }}
svc.gateway.fallback-host-suffix: "-internal"
{{- if $values.tlsSecret }}
svc.gateway.tls.certificate-file: /run/secrets/lintel-tls/tls.crt
svc.gateway.tls.key-file: /run/secrets/lintel-tls/tls.key
{{- end }}
{{- else if eq .facts.image "data" }}
svc.datasource.migrate: {{ and (eq .key "data") (eq .root.Values.migrations.by "data") }}
{{- if .root.Values.dataWorkers.enabled }}
svc.jobs.enabled: {{ eq .key "dataWorkers" }}
{{- end }}
svc.files.internal-url: http://{{ $name }}-files-internal:9083
svc.gateway.reports-url: http://{{ $name }}-reports:8084
{{- else if eq .key "files" }}
svc.data.internal-url: http://{{ $name }}-data-internal:9082
{{- with .root.Values.storage }}
svc.files.storage.{{ .name }}.kind: s3
svc.files.storage.{{ .name }}.endpoint-url: {{ required "storage.endpointUrl: address of the S3 server" .endpointUrl | quote }}
svc.files.storage.{{ .name }}.region: {{ .region | quote }}
svc.files.storage.{{ .name }}.bucket: {{ .bucket | quote }}
{{- end }}
{{- else if eq .facts.image "reports" }}
svc.data.internal-url: http://{{ $name }}-data-internal:9082
svc.files.internal-url: http://{{ $name }}-files-internal:9083
{{- if eq .key "reportsWorkers" }}
svc.reports.workers: {{ $values.concurrency }}
{{- else if .root.Values.reportsWorkers.enabled }}
svc.reports.workers: 0
{{- end }}
{{- end }}
{{- end -}}

{{- /* The text of the properties file: lines `name=value`. */ -}}
{{- define "lintel.propertiesFile" -}}
{{- range $name, $value := include "lintel.properties" . | fromYaml }}
{{- $text := ternary (printf "%.0f" $value) (toString $value) (kindIs "float64" $value) }}
{{ $name }}={{ $text | replace "\\" "\\\\" | replace "\n" "\\n" | replace "\t" "\\t" }}
{{- end }}
{{- end -}}
