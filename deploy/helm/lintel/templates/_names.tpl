{{- define "lintel.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- /* The address of clients, without a slash at the end. */ -}}
{{- define "lintel.publicUrl" -}}
{{- required "publicUrl: the address that clients use, https://api.example.com" .Values.publicUrl | trimSuffix "/" -}}
{{- end -}}

{{- /* Its host, without a port. */ -}}
{{- define "lintel.publicHost" -}}
{{- get (urlParse (include "lintel.publicUrl" .)) "hostname" -}}
{{- end -}}

{{- /* Labels that select; they never change. Takes (dict "root" $ "name" "data"). */ -}}
{{- define "lintel.selectorLabels" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 | trimSuffix "-" }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{- define "lintel.podLabels" -}}
{{ include "lintel.selectorLabels" . }}
app.kubernetes.io/part-of: lintel
app.kubernetes.io/version: {{ include "lintel.imageTag" .root | quote }}
{{- end -}}

{{- define "lintel.labels" -}}
{{ include "lintel.podLabels" . }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "lintel.imageTag" -}}
{{- default .Chart.AppVersion .Values.image.tag -}}
{{- end -}}

{{- /* The image of a component, or `image` of its values. Takes (dict "root" $ "image" "data"). */ -}}
{{- define "lintel.image" -}}
{{- $image := .root.Values.image -}}
{{- with (index .root.Values .image).image -}}
{{- . -}}
{{- else -}}
{{- with $image.registry }}{{ trimSuffix "/" . }}/{{ end }}{{ $image.prefix }}{{ .image }}:{{ include "lintel.imageTag" .root }}
{{- end -}}
{{- end -}}

{{- /* Name of a property as a variable: svc.rest.base-path is SVC_REST_BASE_PATH. */ -}}
{{- define "lintel.variable" -}}
{{- regexReplaceAll "([a-z0-9])([A-Z])" . "${1}_${2}" | replace "." "_" | replace "-" "_" | upper -}}
{{- end -}}
