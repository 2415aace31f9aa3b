import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { load } from 'js-yaml';
import { COMMANDS } from '../scripts/commands.mjs';
import { settingsSchema } from '../src/platform/config/settings.schema.js';
import { defaults, rendered, type Manifest, type Values } from './support/chart/chart.js';
import { containersOf, named, podsOf, variablesOf } from './support/chart/pods.js';
import { withAll, withAnOperator, withLeast } from './support/chart/values.js';

const root = resolve(import.meta.dirname, '..');
const CHART = 'deploy/helm/agent-work-platform';
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const settings = Object.keys(settingsSchema.shape);
/** Settings whose value must not be in a manifest. */
const SECRETS = settings.filter((name) =>
  /^(DATABASE_(DIRECT_)?URL|ENCRYPTION_KEYS|INTERNAL_KEY|.*(PASSWORD|API_KEY|ACCESS_KEY.*|_HEADERS))$/.test(
    name,
  ),
);
/** Variables that the service does not read as settings. */
const OTHERS = ['HOME', 'POD_NAME', 'NODE_EXTRA_CA_CERTS'];

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  propertyNames?: { not: { enum: string[] } };
}
const schema = JSON.parse(read(`${CHART}/values.schema.json`)) as Schema;

const all = rendered(withAll);
const least = rendered(withLeast);
const operator = rendered(withAnOperator);
const each: [string, Manifest[]][] = [
  ['the least values', least],
  ['all values', all],
  ['an operator for the database', operator],
];

describe('the Helm chart', () => {
  it.each([
    [
      'ca.pem and ca.secret',
      { ca: { pem: '-----BEGIN CERTIFICATE-----', secret: { name: 'x' } } },
      'set one of ca.pem',
    ],
    ['tools without workers', { tools: { enabled: true } }, 'tools.enabled needs worker.enabled'],
    ['several processes with a disk each', { replicas: 2 }, 'need attachments.store: s3'],
    [
      'two databases',
      { database: { secret: { name: 'x' }, cloudNativePg: { enabled: true } } },
      'set either database.secret.name',
    ],
    ['an ingress that no one trusts', { ingress: { enabled: true, host: 'x' } }, 'needs trustedProxies'],
    [
      'a backup of a volume that one pod alone mounts',
      { backup: { enabled: true }, persistence: { accessModes: ['ReadWriteOncePod'] } },
      'must not be ReadWriteOncePod',
    ],
    ['a secret among the settings', { settings: { DATABASE_URL: 'x' } }, 'must NOT be valid'],
    ['a setting that it sets itself', { settings: { CATALOG_DIRS: '/x' } }, 'must NOT be valid'],
    ['a value that it does not have', { catalogue: {} }, 'must NOT have additional properties'],
    ['an id that is no file name', { catalog: { entries: { '../x': {} } } }, 'must match pattern'],
  ] as [string, Values, string][])('refuses %s', (_, values, reason) => {
    expect(() => rendered({ ...withLeast, ...values })).toThrow(reason);
  });

  it('describes each value, and refuses those that it does not describe', () => {
    /** The paths of values that the schema lacks, or whose object takes any name. */
    const open = (values: Values, at: Schema, path: string[] = []): string[] =>
      Object.entries(values).flatMap(([name, value]) => {
        const its = at.properties?.[name];
        const here = [...path, name];
        if (!its?.type) return [here.join('.')];
        const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
        if (!isMap || !its.properties) return [];
        return [
          ...(its.additionalProperties === false ? [] : [here.join('.')]),
          ...open(value as Values, its, here),
        ];
      });
    expect(open(defaults, schema)).toEqual([]);
    expect(schema.additionalProperties).toBe(false);
    const described = Object.keys(schema.properties!).filter((name) => name !== 'global');
    expect(Object.keys(defaults).toSorted()).toEqual(described.toSorted());
  });

  it.each(each)(
    'gives no two objects one name, and no variable twice to a container, with %s',
    (_, manifests) => {
      const names = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      expect(new Set(names).size).toBe(names.length);
      for (const { env = [] } of containersOf(manifests)) {
        const variables = env.map(({ name }) => name);
        expect(new Set(variables).size).toBe(variables.length);
      }
    },
  );

  it.each(each)('mounts only volumes that a pod has, each at a place of its own, with %s', (_, manifests) => {
    for (const { pod, claims } of podsOf(manifests)) {
      const volumes = [...claims, ...(pod.volumes ?? []).map(({ name }) => name)];
      const mounts = pod.containers.flatMap(({ volumeMounts = [] }) => volumeMounts);
      expect(new Set(volumes).size).toBe(volumes.length);
      expect(mounts.filter(({ name }) => !volumes.includes(name))).toEqual([]);
      expect(new Set(mounts.map(({ mountPath }) => mountPath)).size).toBe(mounts.length);
    }
  });

  it.each(each)(
    'drops every capability and keeps the root file system read-only, with %s',
    (_, manifests) => {
      for (const { securityContext } of containersOf(manifests)) {
        expect(securityContext).toMatchObject({
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    },
  );

  it('sets only settings of the service, and gives secrets by reference alone', () => {
    const variables = containersOf(all).flatMap(({ env = [] }) => env);
    const own = variables.filter(({ name }) => !['OIDC_CLIENT_SECRET_FILE', ...OTHERS].includes(name));
    expect(new Set(own.map(({ name }) => name)).size).toBeGreaterThan(25);
    expect(own.filter(({ name }) => !settings.includes(name))).toEqual([]);
    expect(SECRETS).toHaveLength(9);
    expect(own.filter(({ name, valueFrom }) => SECRETS.includes(name) && !valueFrom)).toEqual([]);
    const refused = schema.properties!['settings']!.propertyNames!.not.enum;
    const set = own.map(({ name }) => name).filter((name) => !Object.hasOwn(withAll.settings, name));
    expect([...SECRETS, ...set].filter((name) => !refused.includes(name))).toEqual([]);
  });

  it('runs the image as the Dockerfile makes it, in the version of the service', () => {
    const image = read('Dockerfile');
    const { version } = JSON.parse(read('package.json')) as { version: string };
    for (const { pod } of podsOf(least)) {
      expect(pod.securityContext.runAsUser).toBe(Number(/--uid (\d+)/.exec(image)![1]!));
      for (const one of pod.containers)
        expect(one.image).toBe(`registry.example.com/agent-work-platform:${version}`);
    }
    const [service] = podsOf([named(least, 'StatefulSet')]);
    const port = { name: 'http', containerPort: Number(/PORT=(\d+)/.exec(image)![1]!) };
    expect(service!.pod.containers[0]!.ports).toEqual([port]);
    const commands = containersOf(all).flatMap(({ command = [] }) =>
      command[0] === 'awp' ? [command[1]!] : [],
    );
    expect(commands.toSorted()).toEqual(['archive', 'backup', 'migrate', 'restore-drill']);
    expect(commands.filter((name) => !(name in COMMANDS))).toEqual([]);
  });

  it.each([
    ['HTTP', least, 1],
    ['HTTPS', all, 3],
  ] as const)(
    'asks the process whether it lives and the database whether it can work, by %s',
    (scheme, manifests, count) => {
      const asked = containersOf([...manifests]).filter(({ ports }) => ports);
      expect(asked).toHaveLength(count);
      for (const { startupProbe, livenessProbe, readinessProbe, env = [] } of asked) {
        const of = (path: string) => ({ httpGet: { path, port: 'http', scheme } });
        expect([startupProbe, livenessProbe, readinessProbe]).toMatchObject([
          of('/livez'),
          of('/livez'),
          of('/readyz'),
        ]);
        expect(env.some(({ name }) => name === 'TLS_CERT_FILE')).toBe(scheme === 'HTTPS');
      }
      expect(JSON.stringify(named([...manifests], 'Pod', '-ready'))).toContain(`${scheme.toLowerCase()}://`);
    },
  );

  it('gives every workload the variables, volumes and authorities of its operator', () => {
    const workloads = podsOf(all).filter(({ name }) => !name.startsWith('Pod '));
    expect(workloads.map(({ name }) => name)).toHaveLength(7);
    for (const { pod } of workloads) {
      const [one] = pod.containers;
      expect(variablesOf(one!)).toMatchObject({
        NODE_EXTRA_CA_CERTS: '/etc/agent-work-platform/ca/ca.crt',
        OIDC_CLIENT_SECRET_FILE: '/secrets/oidc',
      });
      expect(one!.volumeMounts!.map(({ mountPath }) => mountPath)).toEqual(
        expect.arrayContaining(['/etc/agent-work-platform/ca', '/secrets']),
      );
      expect(pod.volumes).toContainEqual({ name: 'secrets', secret: { secretName: 'more' } });
    }
  });

  it('makes a ConfigMap of authorities before the migrations need it, or takes one of the operator', () => {
    const { metadata, data } = named(all, 'ConfigMap', '-ca');
    expect(metadata.annotations!['helm.sh/hook']).toContain('pre-install,pre-upgrade');
    expect(Number(metadata.annotations!['helm.sh/hook-weight'])).toBeLessThan(0);
    expect(data).toEqual({ 'ca.crt': withAll.ca.pem });
    expect(named(operator, 'ConfigMap', '-ca')).toBeUndefined();
    const items = [{ key: 'bundle.pem', path: 'ca.crt' }];
    for (const { pod } of podsOf(operator).filter(({ name }) => !name.startsWith('Pod ')))
      expect(pod.volumes).toContainEqual({ name: 'ca', configMap: { name: 'cas', items } });
  });

  it('mounts catalogue entries where the service reads them, and starts it again where they change', () => {
    const [one] = podsOf([named(all, 'StatefulSet', '-platform')]);
    const folders = variablesOf(one!.pod.containers[0]!)['CATALOG_DIRS']!.split(':');
    const mounts = one!.pod.containers[0]!.volumeMounts!.map(({ mountPath }) => mountPath);
    expect(folders).toEqual([...mounts.filter((path) => path.includes('/catalog/')), '/secrets/catalogue']);
    const { data } = named(all, 'ConfigMap', '-catalog') as unknown as { data: Record<string, string> };
    expect(Object.keys(data)).toEqual(['acme.json', 'other.json']);
    expect(JSON.parse(data['acme.json']!)).toEqual(withAll.catalog.entries.acme);
    const annotations = (manifests: Manifest[]) =>
      (named(manifests, 'StatefulSet')['spec'] as { template: { metadata: { annotations?: object } } })
        .template.metadata.annotations;
    const changed = { ...withAll, catalog: { entries: { acme: { id: 'acme' } } } };
    expect(annotations(rendered(changed))).not.toEqual(annotations(all));
    expect(annotations(least)).toBeUndefined();
  });

  it('makes backups of which some stay, restores them on trial, and archives, beside the volume of the attachments', () => {
    for (const manifests of [all, operator]) {
      const jobs = podsOf(manifests).filter(({ name }) => name.startsWith('CronJob'));
      expect(jobs.map(({ pod }) => pod.containers[0]!.name)).toEqual(['archive', 'backup', 'restore-drill']);
    }
    const [archive, backup] = podsOf(operator).filter(({ name }) => name.startsWith('CronJob'));
    expect(backup!.pod.containers[0]!.command).toEqual(expect.arrayContaining(['/backups', '--keep', '14']));
    expect(backup!.pod.volumes).toContainEqual({
      name: 'backups',
      persistentVolumeClaim: { claimName: 'mine' },
    });
    // The claim that the StatefulSet makes from its template, on the node that has it.
    const set = podsOf(operator).find(({ name }) => name.startsWith('StatefulSet'))!;
    const claimName = `${set.claims[0]!}-${set.name.split(' ')[1]!}-0`;
    for (const { pod } of [archive!, backup!]) {
      expect(pod.volumes).toContainEqual({ name: 'data', persistentVolumeClaim: { claimName } });
      const labels = (named(operator, 'StatefulSet')['spec'] as { selector: { matchLabels: object } })
        .selector;
      expect(pod.affinity).toMatchObject({
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: labels },
          ],
        },
      });
    }
    // Attachments in a bucket need no volume, and an affinity of the operator stays alone.
    const [inABucket] = podsOf(all).filter(({ name }) => name.startsWith('CronJob'));
    expect(inABucket!.pod.volumes).toContainEqual({ name: 'data', emptyDir: {} });
    expect(inABucket!.pod.affinity).toEqual(withAll.affinity);
  });

  it('has the alert rules of deploy/prometheus, for its own job, with links that lead to the page of the operator', () => {
    // After a change: cp deploy/prometheus/alerts.yml deploy/helm/agent-work-platform/
    expect(read(`${CHART}/alerts.yml`)).toBe(read('deploy/prometheus/alerts.yml'));
    const rules = load(read('deploy/prometheus/alerts.yml')) as { groups: { rules: unknown[] }[] };
    expect(rules.groups[0]!.rules.length).toBeGreaterThan(30);
    expect(named(least, 'PrometheusRule')).toBeUndefined();
    expect(named(operator, 'PrometheusRule')['spec']).toEqual(rules);
    const text = JSON.stringify(named(all, 'PrometheusRule')['spec']);
    const expected = JSON.stringify(rules)
      .replaceAll('job=\\"agent-work-platform\\"', 'job=\\"tools-platform\\"')
      .replaceAll('"docs/operations.md#', '"https://git.example.com/docs/operations.md#');
    expect(text).toBe(expected);
    // The job that the PodMonitor names.
    const { spec, metadata } = named(all, 'PodMonitor') as unknown as {
      spec: { jobLabel: string; podMetricsEndpoints: { scheme: string }[] };
      metadata: { labels: Record<string, string> };
    };
    expect(metadata.labels[spec.jobLabel]).toBe('tools-platform');
    expect(spec.podMetricsEndpoints[0]!.scheme).toBe('https');
  });
});
