{{- /*
  Hooks run before what belongs to the release is there, so a job has an account, a secret and a policy of its own.
  Takes the weight.
*/ -}}
{{- define "lintel.hook" -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}

{{- /* What `helm test` creates, and deletes after a success. Takes the weight. */ -}}
{{- define "lintel.testHook" -}}
helm.sh/hook: test
helm.sh/hook-weight: {{ . | quote }}
helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
{{- end -}}
