{{- define "awp.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "awp.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 50 | trimSuffix "-" }}
{{- else if contains (include "awp.name" .) .Release.Name }}
{{- .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "awp.name" .) | trunc 50 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "awp.selector" -}}
app.kubernetes.io/name: {{ include "awp.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "awp.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "awp.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "awp.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "awp.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "awp.image" -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}

{{- /* The address of the database: the operator's Secret of a cluster has it under `uri`. */ -}}
{{- define "awp.databaseEnv" -}}
{{- $database := .Values.database }}
- name: DATABASE_URL
  valueFrom:
    secretKeyRef:
      {{- if $database.cloudNativePg.enabled }}
      name: {{ include "awp.fullname" . }}-db-app
      key: uri
      {{- else }}
      name: {{ $database.secret.name }}
      key: {{ $database.secret.urlKey }}
      {{- end }}
{{- if $database.secret.directUrlKey }}
- name: DATABASE_DIRECT_URL
  valueFrom:
    secretKeyRef:
      name: {{ $database.secret.name }}
      key: {{ $database.secret.directUrlKey }}
{{- end }}
- name: DATABASE_PREPARED
  value: {{ $database.prepared | quote }}
{{- if include "awp.caSource" . }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/agent-work-platform/ca/ca.crt
{{- end }}
{{- end }}

{{- /* What the processes of every role need. */ -}}
{{- define "awp.env" -}}
{{ include "awp.databaseEnv" . }}
- name: DATABASE_POOL_SIZE
  value: {{ .Values.database.poolSize | quote }}
- name: PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
- name: DATA_DIR
  # A folder below the volume, which the service makes itself with mode 0700.
  value: /data/service
- name: HOME
  value: /data
- name: ENCRYPTION_KEYS
  valueFrom:
    secretKeyRef:
      name: {{ .Values.keyRing.secret.name }}
      key: {{ .Values.keyRing.secret.key }}
{{- if .Values.trustedProxies }}
- name: TRUSTED_PROXIES
  value: {{ join "," .Values.trustedProxies | quote }}
{{- end }}
{{- with .Values.attachments }}
- name: ATTACHMENT_STORE
  value: {{ .store | quote }}
{{- if eq .store "s3" }}
- name: S3_ENDPOINT
  value: {{ .s3.endpoint | quote }}
- name: S3_REGION
  value: {{ .s3.region | quote }}
- name: S3_BUCKET
  value: {{ .s3.bucket | quote }}
- name: S3_FORCE_PATH_STYLE
  value: {{ .s3.forcePathStyle | quote }}
- name: S3_ACCESS_KEY_ID
  valueFrom:
    secretKeyRef:
      name: {{ .s3.secret.name }}
      key: {{ .s3.secret.accessKeyIdKey }}
- name: S3_SECRET_ACCESS_KEY
  valueFrom:
    secretKeyRef:
      name: {{ .s3.secret.name }}
      key: {{ .s3.secret.secretAccessKeyKey }}
{{- end }}
{{- end }}
{{- with .Values.traces }}
{{- if .endpoint }}
- name: OTEL_EXPORTER_OTLP_ENDPOINT
  value: {{ .endpoint | quote }}
- name: OTEL_TRACES_SAMPLER_ARG
  value: {{ .share | quote }}
{{- if .headersSecret.name }}
- name: OTEL_EXPORTER_OTLP_HEADERS
  valueFrom:
    secretKeyRef:
      name: {{ .headersSecret.name }}
      key: {{ .headersSecret.key }}
{{- end }}
{{- end }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- include "awp.extraEnv" . }}
{{- end }}

{{- define "awp.extraEnv" -}}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Where the authorities come from, or nothing. */ -}}
{{- define "awp.caSource" -}}
{{- with .Values.ca }}
{{- if .secret.name }}secret{{ else if or .configMap.name .pem }}configMap{{ end }}
{{- end }}
{{- end }}

{{- /* The volumes of every workload. */ -}}
{{- define "awp.volumes" -}}
{{- $ca := .Values.ca }}
{{- if eq (include "awp.caSource" .) "secret" }}
- name: ca
  secret:
    secretName: {{ $ca.secret.name }}
    items: [{ key: {{ $ca.secret.key }}, path: ca.crt }]
{{- else if eq (include "awp.caSource" .) "configMap" }}
- name: ca
  configMap:
    name: {{ default (printf "%s-ca" (include "awp.fullname" .)) $ca.configMap.name }}
    items: [{ key: {{ ternary $ca.configMap.key "ca.crt" (ne $ca.configMap.name "") }}, path: ca.crt }]
{{- end }}
{{- with .Values.extraVolumes }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "awp.volumeMounts" -}}
{{- if include "awp.caSource" . }}
- { name: ca, mountPath: /etc/agent-work-platform/ca, readOnly: true }
{{- end }}
{{- with .Values.extraVolumeMounts }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- /* Of the processes of the service, beside those of every workload: its certificate and its catalogue. */ -}}
{{- define "awp.serviceEnv" -}}
{{- if .Values.tls.secret.name }}
- name: TLS_CERT_FILE
  value: /etc/agent-work-platform/tls/tls.crt
- name: TLS_KEY_FILE
  value: /etc/agent-work-platform/tls/tls.key
{{- end }}
{{- with include "awp.catalogFolders" . }}
- name: CATALOG_DIRS
  value: {{ . | quote }}
{{- end }}
{{- end }}

{{- define "awp.catalogFolders" -}}
{{- $folders := list }}
{{- if .Values.catalog.entries }}{{ $folders = append $folders "/etc/agent-work-platform/catalog/entries" }}{{ end }}
{{- if .Values.catalog.configMap }}{{ $folders = append $folders "/etc/agent-work-platform/catalog/config-map" }}{{ end }}
{{- join ":" (concat $folders .Values.catalog.folders) }}
{{- end }}

{{- define "awp.serviceVolumes" -}}
{{- with .Values.tls.secret.name }}
- name: tls
  secret:
    secretName: {{ . }}
    # 0440: the group of the pod reads it.
    defaultMode: 288
{{- end }}
{{- if .Values.catalog.entries }}
- name: catalog-entries
  configMap:
    name: {{ include "awp.fullname" . }}-catalog
{{- end }}
{{- with .Values.catalog.configMap }}
- name: catalog-config-map
  configMap:
    name: {{ . }}
{{- end }}
{{- include "awp.volumes" . }}
{{- end }}

{{- define "awp.serviceVolumeMounts" -}}
{{- if .Values.tls.secret.name }}
- { name: tls, mountPath: /etc/agent-work-platform/tls, readOnly: true }
{{- end }}
{{- if .Values.catalog.entries }}
- { name: catalog-entries, mountPath: /etc/agent-work-platform/catalog/entries, readOnly: true }
{{- end }}
{{- if .Values.catalog.configMap }}
- { name: catalog-config-map, mountPath: /etc/agent-work-platform/catalog/config-map, readOnly: true }
{{- end }}
{{- include "awp.volumeMounts" . }}
{{- end }}

{{- /* A start reads the entries, so that a change of them starts the pods again. */ -}}
{{- define "awp.podAnnotations" -}}
{{- $annotations := dict }}
{{- if .Values.catalog.entries }}
{{- $_ := set $annotations "checksum/catalog" (.Values.catalog.entries | toJson | sha256sum) }}
{{- end }}
{{- with merge $annotations .Values.podAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- /* How the service is reached at its port. */ -}}
{{- define "awp.scheme" -}}
{{- ternary "https" "http" (ne .Values.tls.secret.name "") }}
{{- end }}

{{- /* The process is asked whether it lives, so that an outage of the database ends none; and whether it can work. */ -}}
{{- define "awp.probes" -}}
startupProbe:
  httpGet: { path: /livez, port: http, scheme: {{ include "awp.scheme" . | upper }} }
  periodSeconds: 2
  # The first start of a release migrates the database.
  failureThreshold: 300
livenessProbe:
  httpGet: { path: /livez, port: http, scheme: {{ include "awp.scheme" . | upper }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: http, scheme: {{ include "awp.scheme" . | upper }} }
  periodSeconds: 5
  timeoutSeconds: 5
  failureThreshold: 2
# The endpoints of the Service forget the pod before it stops to accept requests.
lifecycle:
  preStop:
    exec: { command: [sleep, '5'] }
{{- end }}

{{- define "awp.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
fsGroupChangePolicy: OnRootMismatch
{{- end }}

{{- /* The profiles of 'restricted'. */ -}}
{{- define "awp.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- /* For a container that runs MCP servers. */ -}}
{{- define "awp.serversSecurity" -}}
{{- if eq .Values.sandbox "off" }}
{{- include "awp.containerSecurity" . }}
{{- else -}}
# The sandbox makes user namespaces, which the default profiles refuse. It needs no capability.
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
seccompProfile: { type: Unconfined }
appArmorProfile: { type: Unconfined }
{{- end }}
{{- end }}

{{- define "awp.scheduling" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{- /* Refuses values that fit the schema one by one and not together. */ -}}
{{- define "awp.check" -}}
{{- $_ := required "publicUrl is required: the address under which clients reach the service" .Values.publicUrl }}
{{- $_ := required "keyRing.secret.name is required: the Secret with the key ring" .Values.keyRing.secret.name }}
{{- if and .Values.tools.enabled (not .Values.worker.enabled) }}
{{- fail "tools.enabled needs worker.enabled: the other processes then have ROLE=api and do no background work" }}
{{- end }}
{{- $several := or (gt (int .Values.replicas) 1) .Values.worker.enabled }}
{{- if and $several (ne .Values.attachments.store "s3") }}
{{- fail "replicas above 1 and worker.enabled need attachments.store: s3, because every process has a volume of its own" }}
{{- end }}
{{- if eq .Values.database.cloudNativePg.enabled (ne .Values.database.secret.name "") }}
{{- fail "set either database.secret.name or database.cloudNativePg.enabled" }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.trustedProxies) }}
{{- fail "ingress.enabled needs trustedProxies: without it requests that carry a secret are refused" }}
{{- end }}
{{- $s3 := .Values.attachments.s3 }}
{{- if and (eq .Values.attachments.store "s3") (not (and $s3.endpoint $s3.bucket $s3.secret.name)) }}
{{- fail "attachments.store: s3 needs attachments.s3.endpoint, bucket and secret.name" }}
{{- end }}
{{- $ca := .Values.ca }}
{{- if gt (len (compact (list $ca.pem $ca.configMap.name $ca.secret.name))) 1 }}
{{- fail "set one of ca.pem, ca.configMap.name and ca.secret.name" }}
{{- end }}
{{- if and (or .Values.backup.enabled .Values.archive.enabled) (eq .Values.attachments.store "disk") (has "ReadWriteOncePod" .Values.persistence.accessModes) }}
{{- fail "backup and archive need the volume of the attachments beside the service: persistence.accessModes must not be ReadWriteOncePod" }}
{{- end }}
{{- end }}
