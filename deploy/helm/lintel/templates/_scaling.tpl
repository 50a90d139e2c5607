{{- /* Not empty where KEDA decides how many replicas there are. Takes the values of a component. */ -}}
{{- define "lintel.scalesByKeda" -}}
{{- if (default dict .autoscaling.keda).enabled }}yes{{ end -}}
{{- end -}}

{{- /* How fast an autoscaler acts. */ -}}
{{- define "lintel.scalingBehavior" -}}
# A replica that stops finishes what it does: there is no hurry.
scaleDown:
  stabilizationWindowSeconds: 300
  policies: [{ type: Pods, value: 1, periodSeconds: 60 }]
{{- end -}}
