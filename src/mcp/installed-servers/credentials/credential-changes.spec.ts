import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { CatalogEntry, EnvironmentVariable } from '../../catalog/catalog-entry.js';
import { changesOf, faultsOfChanges, faultsOfOmissions, secretsAmong } from './credential-changes.js';

const folder = mkdtempSync(join(tmpdir(), 'awp-values-'));
afterAll(() => rmSync(folder, { recursive: true }));

const variable = (name: string, fields: Partial<EnvironmentVariable> = {}): EnvironmentVariable => ({
  ...{ name, description: name, isRequired: false, isSecret: false, default: null, format: null },
  ...{ choices: null, placeholder: null, pattern: null, access: 'read' as const },
  ...fields,
});
const entryWith = (...environmentVariables: EnvironmentVariable[]) =>
  ({ transport: 'stdio', environmentVariables }) as unknown as CatalogEntry;
const entry = entryWith(
  variable('KEY', { isRequired: true, isSecret: true }),
  variable('REGION', { isRequired: true, default: 'eu' }),
  variable('FOLDER', { format: 'filepath' }),
  variable('CONFIG', { format: 'file' }),
);
const faults = async (values: Record<string, unknown>, entries = [entry]) =>
  (await faultsOfChanges(entries, values, join(folder, 'data'))).map(({ path }) => path);

describe('values of variables', () => {
  it('of undeclared variables are faults, and so is null for a required one', async () => {
    expect(await faults({ KEY: null, REGION: null, OTHER: 'x', FOLDER: null })).toEqual([
      'envValues.KEY',
      'envValues.REGION',
      'envValues.OTHER',
    ]);
  });

  it('may be for a variable that only a newer entry declares', async () => {
    expect(await faults({ NEW: 'x' }, [entry, entryWith(variable('NEW'))])).toEqual([]);
  });

  it('never meet the data folder, not by a link either', async () => {
    mkdirSync(join(folder, 'data'));
    symlinkSync(join(folder, 'data'), join(folder, 'link'));
    for (const path of [join(folder, 'data'), join(folder, 'data', 'x'), folder, join(folder, 'link', 'x')])
      expect(await faults({ FOLDER: path })).toEqual(['envValues.FOLDER']);
    expect(await faults({ FOLDER: join(folder, 'other') })).toEqual([]);
  });

  it('are asked for where they are required and have no default', () => {
    expect(faultsOfOmissions(entry, {}).map(({ path }) => path)).toEqual(['envValues.KEY']);
    expect(faultsOfOmissions(entry, { KEY: null })).toEqual([]);
  });

  it('are set or removed', () => {
    expect(changesOf({ KEY: 'x', FOLDER: null })).toEqual({ set: { KEY: 'x' }, removed: ['FOLDER'] });
  });

  it('are secrets unless the entry says that they are none', () => {
    const values = { KEY: 'a key', REGION: 'us', CONFIG: 'a file', UNKNOWN: 'who knows' };
    expect(secretsAmong([entry], values)).toEqual(['a key', 'a file', 'who knows']);
  });
});
