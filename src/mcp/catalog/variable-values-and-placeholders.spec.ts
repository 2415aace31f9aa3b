import { describe, expect, it } from '@jest/globals';
import type { CatalogEntry } from './catalog-entry.js';
import { parseEntry } from './catalog-files.js';
import { missingVariables, valueError } from './variable-values-and-placeholders.js';

function anEntry(variable: object, headers: Record<string, string> = {}): CatalogEntry {
  const { entry, errors } = parseEntry({
    id: 'acme',
    name: 'Acme',
    description: 'Acme',
    category: 'dev',
    version: '1',
    transport: 'http',
    runtime: 'none',
    manifest: { url: 'https://acme.example/mcp', headers },
    environmentVariables: [{ name: 'X', description: 'X', isRequired: true, isSecret: false, ...variable }],
  });
  if (!entry) throw new Error(JSON.stringify(errors));
  return entry;
}

const errorOf = (variable: object, value: unknown, headers?: Record<string, string>) => {
  const entry = anEntry(variable, headers);
  return valueError(entry, entry.environmentVariables[0]!, value);
};

describe('valueError', () => {
  it.each<[object, string]>([
    [{}, 'anything\nat all'],
    [{}, 'x'.repeat(32 * 1024)],
    [{ format: 'number' }, '-12.5'],
    [{ format: 'boolean' }, 'true'],
    [{ format: 'boolean', choices: ['True', 'False'] }, 'True'],
    [{ format: 'filepath' }, '/srv/x'],
    [{ format: 'file' }, 'apiVersion: v1\nkind: Config'],
    [{ pattern: 'a|b' }, 'b'],
    [{ choices: ['a', 'b'] }, 'a'],
  ])('accepts for %j the value %j', (variable, value) => {
    expect(errorOf(variable, value)).toBeNull();
  });

  it.each<[object, unknown, RegExp]>([
    [{}, 12, /string/],
    [{}, null, /string/],
    [{}, '', /empty/],
    [{}, 'é'.repeat(16 * 1024 + 1), /32768 bytes/],
    [{}, 'a\0b', /NUL/],
    [{ format: 'number' }, 'Infinity', /number/],
    [{ format: 'number' }, '0x10', /number/],
    [{ format: 'number' }, ' 1', /number/],
    [{ format: 'boolean' }, 'True', /true or false/],
    [{ format: 'boolean', choices: ['True', 'False'] }, 'true', /True, False/],
    [{ format: 'filepath' }, 'relative/path', /absolute/],
    [{ pattern: 'a|b' }, 'ab', /match/],
    [{ pattern: 'a' }, 'a\n', /match/],
    [{ choices: ['a', 'b'] }, 'c', /one of a, b/],
  ])('rejects for %j the value %j', (variable, value, message) => {
    expect(errorOf(variable, value)).toMatch(message);
  });

  it.each(['a\r\nb', 'a\nb', 'a\rb', 'naïve ☃'])('rejects for a header the value %j', (value) => {
    expect(errorOf({}, value, { 'X-Key': '{env:X}' })).toMatch(/header/);
    expect(errorOf({}, value)).toBeNull();
  });
});

describe('missingVariables', () => {
  it('returns the required variables with neither value nor default', () => {
    expect(missingVariables(anEntry({}), [])).toEqual(['X']);
    expect(missingVariables(anEntry({}), ['X'])).toEqual([]);
    expect(missingVariables(anEntry({ default: 'x' }), [])).toEqual([]);
    expect(missingVariables(anEntry({ isRequired: false }), [])).toEqual([]);
    expect(missingVariables(anEntry({ searchPaths: ['/no/such/program'] }), [])).toEqual([]);
  });
});
