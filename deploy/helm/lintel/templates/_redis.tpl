{{- /* How Redis is named: url, sentinel or cluster. */ -}}
{{- define "lintel.redisKind" -}}
{{- $redis := .Values.redis -}}
{{- $sentinel := or $redis.sentinel.master $redis.sentinel.nodes -}}
{{- $url := or .Values.secrets.redisUrl.value .Values.secrets.redisUrl.existingSecret -}}
{{- if and $sentinel (not (and $redis.sentinel.master $redis.sentinel.nodes)) -}}
{{- fail "redis.sentinel: master and nodes belong together" -}}
{{- else if and $sentinel $redis.cluster.nodes -}}
{{- fail "redis.sentinel and redis.cluster name different servers: keep one of them" -}}
{{- else if and $url (or $sentinel $redis.cluster.nodes) -}}
{{- fail "secrets.redisUrl and redis name different servers: keep one of them" -}}
{{- else if and $redis.cluster.nodes $redis.database -}}
{{- fail "redis.database: a cluster has the database 0 only" -}}
{{- else if $sentinel -}}
sentinel
{{- else if $redis.cluster.nodes -}}
cluster
{{- else -}}
url
{{- end -}}
{{- end -}}

{{- /* The properties that lead to it; a URL is a secret. */ -}}
{{- define "lintel.redisProperties" -}}
{{- $kind := include "lintel.redisKind" . -}}
{{- with .Values.redis -}}
{{- if ne $kind "url" }}
{{- if eq $kind "sentinel" }}
svc.redis.sentinel.master: {{ .sentinel.master | quote }}
svc.redis.sentinel.nodes: {{ join "," .sentinel.nodes | quote }}
{{- with .sentinel.username }}
svc.redis.sentinel.username: {{ . | quote }}
{{- end }}
svc.redis.database: {{ .database }}
{{- else }}
svc.redis.cluster.nodes: {{ join "," .cluster.nodes | quote }}
{{- end }}
{{- with .username }}
svc.redis.username: {{ . | quote }}
{{- end }}
svc.redis.ssl.enabled: {{ .tls }}
{{- end }}
{{- end -}}
{{- end -}}

{{- /* networkPolicy.redis, with the ports of the nodes. */ -}}
{{- define "lintel.redisPeers" -}}
{{- $policy := .Values.networkPolicy.redis -}}
{{- $ports := $policy.ports -}}
{{- range concat .Values.redis.sentinel.nodes .Values.redis.cluster.nodes -}}
{{- $ports = append $ports (regexFind "[0-9]+$" . | int) -}}
{{- end -}}
{{- $numbers := list -}}
{{- range $ports }}{{ $numbers = append $numbers (int .) }}{{ end -}}
{{- toYaml (dict "ports" (uniq $numbers) "peers" $policy.peers) -}}
{{- end -}}
