{{- /* Not empty where KEDA decides how many replicas there are. Takes the values of a component. */ -}}
{{- define "lintel.scalesByKeda" -}}
{{- if (default dict .autoscaling.keda).enabled }}yes{{ end -}}
{{- end -}}

{{- /*
  Number of replicas. With an autoscaler those that run now, since Kubernetes would replace an omitted number by 1;
  nothing where they are unknown. Takes (dict "root" $ "values" $.Values.data "name" "lintel-data").
*/ -}}
{{- define "lintel.replicas" -}}
{{- if not (or .values.autoscaling.enabled (include "lintel.scalesByKeda" .values)) -}}
{{- .values.replicas -}}
{{- else -}}
{{- with (lookup "apps/v1" "Deployment" .root.Release.Namespace .name).spec }}{{ .replicas | int }}{{ end -}}
{{- end -}}
{{- end -}}

{{- /* How fast an autoscaler acts. */ -}}
{{- define "lintel.scalingBehavior" -}}
# A replica that stops finishes what it does: there is no hurry.
scaleDown:
  stabilizationWindowSeconds: 300
  policies: [{ type: Pods, value: 1, periodSeconds: 60 }]
{{- end -}}
