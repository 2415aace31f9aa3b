import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { settingsSchema } from '../src/platform/config/settings.schema.js';

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
const OF_THE_POD = ['HOME', 'POD_NAME'];

interface Schema {
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  propertyNames?: { not: { enum: string[] } };
}
const schema = JSON.parse(read(`${CHART}/values.schema.json`)) as Schema;
const files = (readdirSync(resolve(root, CHART, 'templates'), { recursive: true }) as string[]).filter(
  (file) => /\.(yaml|tpl|txt)$/.test(file),
);
const templates = files.map((file) => ({ file, text: read(`${CHART}/templates/${file}`) }));
const all = templates.map(({ text }) => text).join('\n');
/** The variables that the templates give to a container, each with the line after it. */
const variables = [...all.matchAll(/^ *- name: ([A-Z][A-Z0-9_]+)\n(?: *#.*\n)?(.*)$/gm)].map(
  ([, name, next]) => ({ name: name!, isReference: next!.trim() === 'valueFrom:' }),
);

const isDescribed = (path: string[], at: Schema = schema): boolean => {
  const [name, ...rest] = path;
  if (name === undefined || !at.properties) return true;
  const next = at.properties[name];
  return next !== undefined && isDescribed(rest, next);
};

describe('the Helm chart', () => {
  it('reads only values that its schema describes', () => {
    const used = templates.flatMap(({ file, text }) =>
      [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => ({ file, path: path! })),
    );
    expect(used.length).toBeGreaterThan(50);
    expect(used.filter(({ path }) => !isDescribed(path.split('.')))).toEqual([]);
  });

  it('describes each value of values.yaml at the top, and each has a default', () => {
    const given = [...read(`${CHART}/values.yaml`).matchAll(/^(\w+):/gm)].map(([, name]) => name!);
    const described = Object.keys(schema.properties!).filter((name) => name !== 'global');
    expect(given.toSorted()).toEqual(described.toSorted());
    expect(schema.additionalProperties).toBe(false);
  });

  it('sets only settings of the service', () => {
    const names = new Set(variables.map(({ name }) => name).filter((name) => !OF_THE_POD.includes(name)));
    expect(names.size).toBeGreaterThan(20);
    expect([...names].filter((name) => !settings.includes(name))).toEqual([]);
  });

  it('gives secrets by reference alone, and refuses them among the settings', () => {
    expect(SECRETS).toHaveLength(9);
    const plain = variables.filter(({ name, isReference }) => SECRETS.includes(name) && !isReference);
    expect(plain).toEqual([]);
    const refused = schema.properties!['settings']!.propertyNames!.not.enum;
    const set = variables.map(({ name }) => name).filter((name) => !OF_THE_POD.includes(name));
    expect([...SECRETS, ...set].filter((name) => !refused.includes(name))).toEqual([]);
  });

  it('runs the image as the Dockerfile makes it, in the version of the service', () => {
    const image = read('Dockerfile');
    const uid = /--uid (\d+)/.exec(image)![1]!;
    expect(all).toContain(`runAsUser: ${uid}`);
    expect(all).toContain(`containerPort: ${/PORT=(\d+)/.exec(image)![1]!}`);
    expect(all).toContain('command: [node, scripts/migrate.mjs]');
    expect(image).toContain('COPY scripts scripts');
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(read(`${CHART}/Chart.yaml`)).toContain(`appVersion: '${version}'`);
  });

  it('makes backups of which some stay, and restores them on trial, with commands that exist', () => {
    const { text } = templates.find(({ file }) => file === 'backup.yaml')!;
    const commands = [...text.matchAll(/list "node" "(scripts\/[\w-]+\.mjs)"/g)].map(([, script]) => script!);
    expect(commands).toEqual(['scripts/backup.mjs', 'scripts/restore-drill.mjs']);
    for (const script of commands) expect(existsSync(resolve(root, script))).toBe(true);
    expect(text).toContain('"--keep"');
    // The claim that the StatefulSet makes from its template of this name.
    expect(text).toContain('claimName: data-{{ $full }}-0');
    const { text: set } = templates.find(({ file }) => file === 'statefulset.yaml')!;
    expect(set).toMatch(/^kind: StatefulSet$[^]*?^ {2}name: \{\{ include "awp\.fullname" \. \}\}$/m);
    expect(set).toMatch(/volumeClaimTemplates:\n {4}- metadata:\n {8}name: data$/m);
  });

  it('drops every capability and keeps the root file system read-only in each container', () => {
    const containers = templates.filter(({ text }) => /^ *containers:$/m.test(text));
    expect(containers).toHaveLength(6);
    const withoutRules = containers.filter(
      ({ text }) => !/include "awp\.(container|servers)Security"/.test(text),
    );
    expect(withoutRules).toEqual([]);
    expect(all.match(/capabilities: \{ drop: \[ALL\] \}/g)).toHaveLength(2);
    expect(all.match(/readOnlyRootFilesystem: true/g)).toHaveLength(2);
  });
});
