{{- /*
  Which property each of the values gives to which components; a later one wins over an earlier one with the same
  property. `isOptional` needs an entry of its own; `isMade` is made where it is given nowhere.
*/ -}}
{{- define "lintel.secretTable" -}}
{{- $all := "auth, data, files, reports, reportsWorkers, dataWorkers" -}}
{{- $withRedis := printf "%s%s" $all (ternary ", gateway" "" (not (empty (include "lintel.limitsRates" .)))) -}}
{{- $redis := include "lintel.redisKind" . -}}
table:
  - { value: databaseUrl, property: svc.datasource.url, components: [migrations, {{ $all }}] }
  - { value: authDatabaseUrl, property: svc.datasource.url, components: [auth], isOptional: true }
  - { value: filesDatabaseUrl, property: svc.datasource.url, components: [files], isOptional: true }
  - { value: reportsDatabaseUrl, property: svc.datasource.url, components: [reports, reportsWorkers], isOptional: true }
  - { value: migrationsDatabaseUrl, property: svc.datasource.url, components: [migrations], isOptional: true }
  - { value: reportDatasourceUrl, property: svc.data.report-datasource-url, components: [data, dataWorkers], isOptional: true }
  - { value: directDatabaseUrl, property: svc.datasource.direct-url, components: [data, dataWorkers], isOptional: true }
  - { value: applicationDatabaseUrl, property: svc.datasource.application-url, components: [data, dataWorkers], isOptional: true }
  - { value: readDatabaseUrls, property: svc.datasource.read-urls, components: [data, dataWorkers], isOptional: true }
  {{- if eq $redis "url" }}
  - { value: redisUrl, property: svc.redis.url, components: [{{ $withRedis }}] }
  {{- else }}
  - { value: redisPassword, property: svc.redis.password, components: [{{ $withRedis }}], isOptional: true }
  {{- end }}
  {{- if eq $redis "sentinel" }}
  - { value: redisSentinelPassword, property: svc.redis.sentinel.password, components: [{{ $withRedis }}], isOptional: true }
  {{- end }}
  - { value: brokerUrls, property: svc.broker.urls, components: [gateway, {{ $all }}] }
  - { value: s3AccessKey, property: svc.files.storage.{{ .Values.storage.name }}.access-key, components: [files] }
  - { value: s3SecretKey, property: svc.files.storage.{{ .Values.storage.name }}.secret-key, components: [files] }
  - { value: internalSecret, property: svc.internal.secret, components: [gateway, {{ $all }}], isMade: true }
  - { value: keyEncryptionSecret, property: svc.authserver.key-encryption-secret, components: [auth], isMade: true }
{{- end -}}

{{- /*
  Where a secret is: `secret` and `key`, and `from` (value, made, existing) with the name of its `value`; nothing
  where an optional one is not given. Takes (dict "root" $ "entry" …).
*/ -}}
{{- define "lintel.secretSource" -}}
{{- $given := index .root.Values.secrets .entry.value -}}
{{- $own := include "lintel.fullname" .root -}}
{{- if $given.existingSecret -}}
{{- toYaml (dict "secret" $given.existingSecret "key" $given.key "from" "existing") -}}
{{- else if $given.value -}}
{{- toYaml (dict "secret" $own "key" $given.key "from" "value" "value" .entry.value) -}}
{{- else if .entry.isOptional -}}
{{- else if .root.Values.secrets.existingSecret -}}
{{- toYaml (dict "secret" .root.Values.secrets.existingSecret "key" $given.key "from" "existing") -}}
{{- else if .entry.isMade -}}
{{- toYaml (dict "secret" $own "key" $given.key "from" "made") -}}
{{- else -}}
{{- fail (printf "secrets.%s (%s) has neither value nor existingSecret" .entry.value .entry.property) -}}
{{- end -}}
{{- end -}}

{{- /* The secrets of a component: property → source. Takes (dict "root" $ "key" "data"). */ -}}
{{- define "lintel.secretsOf" -}}
{{- $found := dict -}}
{{- range $entry := (include "lintel.secretTable" .root | fromYaml).table -}}
{{- if has $.key $entry.components -}}
{{- $source := include "lintel.secretSource" (dict "root" $.root "entry" $entry) | fromYaml -}}
{{- if $source }}{{ $_ := set $found $entry.property $source }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if ne .key "migrations" -}}
{{- range $entry := .root.Values.secretProperties -}}
{{- if or (not $entry.services) (has $.key $entry.services) -}}
{{- $_ := set $found $entry.property (dict "secret" $entry.existingSecret "key" $entry.key "from" "existing") -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $found -}}
{{- end -}}

{{- /* The variables that name the files. Takes what secretsOf takes. */ -}}
{{- define "lintel.secretVariables" -}}
{{- range $property, $_ := include "lintel.secretsOf" . | fromYaml }}
- name: {{ include "lintel.variable" $property }}_FILE
  value: /run/secrets/lintel/{{ $property }}
{{- end }}
{{- end -}}

{{- /* The volume with the files. Takes what secretsOf takes, and "ownSecret", a name instead of the chart's. */ -}}
{{- define "lintel.secretVolume" -}}
name: secrets
projected:
  # Readable by the group of the pod, which is fsGroup.
  defaultMode: 288
  sources:
    {{- range $property, $source := include "lintel.secretsOf" . | fromYaml }}
    - secret:
        name: {{ if eq $source.from "existing" }}{{ $source.secret }}{{ else }}{{ default $source.secret $.ownSecret }}{{ end }}
        items: [{ key: {{ $source.key }}, path: {{ $property }} }]
    {{- end }}
{{- end -}}

{{- /* The variables that name the certificates of PostgreSQL. Takes the root. */ -}}
{{- define "lintel.databaseTlsVariables" -}}
{{- if .Values.databaseTls.secret }}
- name: SVC_DATASOURCE_SSL_ROOT_CERTIFICATE
  value: /run/secrets/lintel-database/ca.crt
{{- if .Values.databaseTls.clientCertificate }}
- name: SVC_DATASOURCE_SSL_CERTIFICATE
  value: /run/secrets/lintel-database/tls.crt
- name: SVC_DATASOURCE_SSL_KEY
  value: /run/secrets/lintel-database/tls.key
{{- end }}
{{- end }}
{{- end -}}

{{- define "lintel.databaseTlsMount" -}}
{{- if .Values.databaseTls.secret }}
- { name: database-tls, mountPath: /run/secrets/lintel-database, readOnly: true }
{{- end }}
{{- end -}}

{{- /* Readable by the group of the pod. Kubernetes replaces the files when the Secret changes. */ -}}
{{- define "lintel.databaseTlsVolume" -}}
{{- with .Values.databaseTls.secret }}
- name: database-tls
  secret: { secretName: {{ . }}, defaultMode: 288 }
{{- end }}
{{- end -}}

{{- /* The given values, for the checksum: those that are made change with no upgrade. */ -}}
{{- define "lintel.givenSecrets" -}}
{{- range $property, $source := include "lintel.secretsOf" . | fromYaml -}}
{{- if eq $source.from "value" }}{{ $property }}={{ (index $.root.Values.secrets $source.value).value }};{{ end -}}
{{- end -}}
{{- end -}}
