/** The least values with which the chart can be installed. */
export const withLeast = {
  publicUrl: 'https://agents.example.com',
  image: { repository: 'registry.example.com/agent-work-platform' },
  database: { secret: { name: 'awp-db' } },
  keyRing: { secret: { name: 'awp-keyring' } },
};

/** Every part of the chart, with all processes apart and attachments in a bucket. */
export const withAll = {
  ...withLeast,
  nameOverride: 'tools-platform',
  imagePullSecrets: [{ name: 'registry' }],
  database: { secret: { name: 'awp-db', directUrlKey: 'direct' }, prepared: 'off' },
  trustedProxies: ['10.0.3.7'],
  replicas: 3,
  worker: { enabled: true, replicas: 2 },
  tools: { enabled: true },
  settings: { LEASE_SECONDS: '180', RETENTION_ARCHIVE: 'on' },
  extraEnv: [{ name: 'OIDC_CLIENT_SECRET_FILE', value: '/secrets/oidc' }],
  extraVolumes: [{ name: 'secrets', secret: { secretName: 'more' } }],
  extraVolumeMounts: [{ name: 'secrets', mountPath: '/secrets', readOnly: true }],
  ca: { pem: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n' },
  tls: { secret: { name: 'awp-tls' } },
  catalog: {
    // What looks like a template or like YAML stays as it is.
    entries: {
      acme: { id: 'acme', manifest: { launch: { args: ['{{ x }}', 'a: b', '#'] } } },
      other: { id: 'other' },
    },
    configMap: 'more-entries',
    folders: ['/secrets/catalogue'],
  },
  backup: { enabled: true },
  archive: { enabled: true },
  owner: { email: 'owner@example.com', secret: { name: 'owner', passwordKey: 'password', apiKeyKey: 'key' } },
  attachments: {
    store: 's3',
    s3: { endpoint: 'https://s3.example.com', bucket: 'b', secret: { name: 's3' } },
  },
  traces: { endpoint: 'http://collector:4318', share: 0.5, headersSecret: { name: 'collector' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'agents.example.com',
    tlsSecret: 'agents-tls',
    annotations: { 'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS' },
  },
  networkPolicy: {
    from: [{ namespaceSelector: {} }],
    database: { to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] },
    extraEgress: [{ ports: [{ port: 9000 }] }],
  },
  podMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: {
    enabled: true,
    labels: { release: 'prometheus' },
    runbookUrl: 'https://git.example.com/docs/operations.md',
  },
  podAnnotations: { a: 'yes' },
  podLabels: { team: 't' },
  nodeSelector: { a: 'b' },
  tolerations: [{ key: 'k', operator: 'Exists' }],
  affinity: { nodeAffinity: {} },
  priorityClassName: 'high',
  service: { annotations: { a: 'b' } },
  serviceAccount: { annotations: { a: 'b' } },
  persistence: { storageClass: 'fast' },
};

/** One process that runs MCP servers without a sandbox, attachments on its disk, and a database of CloudNativePG. */
export const withAnOperator = {
  ...withLeast,
  database: {
    cloudNativePg: {
      enabled: true,
      storage: { storageClass: 'fast' },
      imageName: 'postgres:17',
      resources: { limits: { memory: '1Gi' } },
    },
  },
  sandbox: 'off',
  backup: { enabled: true, persistence: { existingClaim: 'mine' } },
  archive: { enabled: true },
  ca: { configMap: { name: 'cas', key: 'bundle.pem' } },
  prometheusRule: { enabled: true },
};
