import { expect, it } from '@jest/globals';
import type { CatalogEntry, EnvironmentVariable } from '../catalog/catalog-entry.js';
import { isUpdate } from './upgrade-plans.service.js';

const variable: EnvironmentVariable = {
  name: 'KEY',
  description: 'A key.',
  isRequired: true,
  isSecret: true,
  default: null,
  format: null,
  choices: null,
  placeholder: null,
  pattern: null,
  access: 'read',
};
const entry = {
  id: 'some',
  name: 'Some',
  description: 'A server.',
  version: '1.0.0',
  transport: 'http',
  runtime: 'none',
  runtimeVersion: null,
  manifest: {
    url: 'https://example.com/mcp',
    headers: {},
    sharing: 'shared',
    credentialProbe: null,
    serverJson: null,
  },
  environmentVariables: [variable],
} as unknown as CatalogEntry;
const changed = (fields: object) => ({ ...entry, ...fields }) as CatalogEntry;

it.each([
  ['version', { version: '1.0.1' }],
  ['address', { manifest: { ...entry.manifest, url: 'https://example.com/v2' } }],
  ['variables', { environmentVariables: [variable, { ...variable, name: 'OTHER' }] }],
  ['default', { environmentVariables: [{ ...variable, default: 'x' }] }],
])('reports a changed %s as an update', (_, fields) => {
  expect(isUpdate(entry, changed(fields))).toBe(true);
});

it('ignores changes of texts that only people read', () => {
  const words = {
    name: 'Other',
    description: 'Other.',
    environmentVariables: [{ ...variable, description: 'Other.' }],
  };
  expect(
    isUpdate(entry, changed({ ...words, manifest: { ...entry.manifest, serverJson: { name: 'x' } } })),
  ).toBe(false);
});
