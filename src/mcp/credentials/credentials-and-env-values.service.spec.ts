import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { CatalogEntry, EnvironmentVariable } from '../catalog/catalog-entry.js';
import {
  changeErrors,
  changesOf,
  givenValueErrors,
  omissionErrors,
  secretsAmong,
} from './credentials-and-env-values.service.js';

const folder = mkdtempSync(join(tmpdir(), 'awp-values-'));
afterAll(() => rmSync(folder, { recursive: true }));

const variable = (name: string, fields: Partial<EnvironmentVariable> = {}): EnvironmentVariable => ({
  name,
  description: name,
  isRequired: false,
  isSecret: false,
  default: null,
  format: null,
  choices: null,
  placeholder: null,
  pattern: null,
  access: 'read',
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
const errorPaths = async (values: Record<string, unknown>, entries = [entry]) =>
  (await changeErrors(entries, values, join(folder, 'data'))).map(({ path }) => path);

describe('changeErrors', () => {
  it('reports undeclared variables and null for a required one', async () => {
    expect(await errorPaths({ KEY: null, REGION: null, OTHER: 'x', FOLDER: null })).toEqual([
      'envValues.KEY',
      'envValues.REGION',
      'envValues.OTHER',
    ]);
  });

  it('accepts a variable that only a newer entry declares', async () => {
    expect(await errorPaths({ NEW: 'x' }, [entry, entryWith(variable('NEW'))])).toEqual([]);
  });

  it('rejects a path that contains or lies in the data folder, also through a link', async () => {
    mkdirSync(join(folder, 'data'));
    symlinkSync(join(folder, 'data'), join(folder, 'link'));
    for (const path of [join(folder, 'data'), join(folder, 'data', 'x'), folder, join(folder, 'link', 'x')])
      expect(await errorPaths({ FOLDER: path })).toEqual(['envValues.FOLDER']);
    expect(await errorPaths({ FOLDER: join(folder, 'other') })).toEqual([]);
  });
});

describe('givenValueErrors', () => {
  const missing = async (path: string) =>
    (await givenValueErrors([entry], { FOLDER: path, KEY: path }, join(folder, 'data'))).map(
      (error) => error.path,
    );

  it('reports a path whose folder does not exist', async () => {
    expect(await missing(join(folder, 'nope'))).toEqual(['envValues.FOLDER']);
    expect(await missing(join(folder, 'nope', 'file.txt'))).toEqual(['envValues.FOLDER']);
  });

  it('accepts an existing path and a new file in an existing folder', async () => {
    expect(await missing(import.meta.dirname)).toEqual([]);
    expect(await missing(join(folder, 'new.txt'))).toEqual([]);
  });
});

describe('omissionErrors', () => {
  it('reports required variables that have no default and are not mentioned', () => {
    expect(omissionErrors(entry, {}).map(({ path }) => path)).toEqual(['envValues.KEY']);
    expect(omissionErrors(entry, { KEY: null })).toEqual([]);
  });
});

describe('changesOf', () => {
  it('separates values to set from variables to remove', () => {
    expect(changesOf({ KEY: 'x', FOLDER: null })).toEqual({ set: { KEY: 'x' }, removed: ['FOLDER'] });
  });
});

describe('secretsAmong', () => {
  it('returns every value that the entry does not declare as not secret', () => {
    const values = { KEY: 'a key', REGION: 'us', CONFIG: 'a file', UNKNOWN: 'who knows' };
    expect(secretsAmong([entry], values)).toEqual(['a key', 'a file', 'who knows']);
  });
});
