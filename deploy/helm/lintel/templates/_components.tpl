{{- /*
  What the chart deploys, by the name of its values. `port` is the listener that the gateway knows, `internalPort` the
  one that it never routes to, `metricsPort` that of operators, `calls` the arrows of docs/architecture.md: components
  and their ports.
*/ -}}
{{- define "lintel.components" -}}
gateway:
  name: gateway
  image: gateway
  port: 8080
  metricsPort: 9180
  calls:
    auth: [http, internal]
    data: [http]
    files: [http]
    reports: [http]
  backends: [rabbitmq{{ if include "lintel.limitsRates" . }}, redis{{ end }}]
auth:
  name: auth
  image: auth
  port: 8081
  metricsPort: 9181
  internalPort: 9081
  calls: {}
  backends: [postgresql, redis, rabbitmq]
data:
  name: data
  image: data
  port: 8082
  metricsPort: 9182
  internalPort: 9082
  calls: &dataCalls
    auth: [http, internal]
    files: [internal]
    reports: [http]
  backends: &dataBackends [postgresql, redis, rabbitmq]
  nodeOptions: &dataNodeOptions [--max-semi-space-size=16, --heap-growing-percent=50]
{{- if .Values.dataWorkers.enabled }}
dataWorkers:
  name: data-workers
  image: data
  port: 8082
  metricsPort: 9182
  isUnknownToGateway: true
  calls: *dataCalls
  backends: *dataBackends
  nodeOptions: *dataNodeOptions
{{- end }}
files:
  name: files
  image: files
  port: 8083
  metricsPort: 9183
  internalPort: 9083
  calls:
    auth: [http]
    data: [internal]
  backends: [postgresql, redis, rabbitmq, s3]
  nodeOptions: [--expose-gc, --max-semi-space-size=1, --optimize-for-size]
reports:
  name: reports
  image: reports
  port: 8084
  metricsPort: 9184
  calls: &reportsCalls
    auth: [http, internal]
    data: [internal]
    files: [internal]
  backends: &reportsBackends [postgresql, redis, rabbitmq]
  nodeOptions: &reportsNodeOptions [--max-semi-space-size=8, --heap-growing-percent=20]
{{- if .Values.reportsWorkers.enabled }}
reportsWorkers:
  name: reports-workers
  image: reports
  port: 8084
  metricsPort: 9184
  isUnknownToGateway: true
  calls: *reportsCalls
  backends: *reportsBackends
  nodeOptions: *reportsNodeOptions
{{- end }}
{{- end -}}

{{- /* Not empty where the gateway counts requests, which it does in Redis: unless all its rate limits are off. */ -}}
{{- define "lintel.limitsRates" -}}
{{- $config := mustMerge dict (default dict .Values.gateway.config) .Values.config -}}
{{- $defaults := dict "user" "on" "client" "off" "address" "on" -}}
{{- range $scope, $default := $defaults -}}
{{- $name := printf "svc.gateway.rate-limit.%s" $scope -}}
{{- $value := ternary (get $config $name | toString | lower) $default (hasKey $config $name) -}}
{{- if ne $value "off" }}yes{{ end -}}
{{- end -}}
{{- end -}}

{{- /* Seconds between the signal to stop and the end. Takes (dict "root" $ "values" $.Values.data). */ -}}
{{- define "lintel.shutdown" -}}
{{- toYaml (mustMerge (deepCopy (default dict .values.shutdown)) .root.Values.shutdown) -}}
{{- end -}}
