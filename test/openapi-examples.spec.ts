import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

/** Bytes have no example that says more. */
const BYTES = /\/download\/|\/application\/x-tar\//;

it('no example of the OpenAPI document is the placeholder of a field that nothing describes', () => {
  const document = JSON.parse(
    readFileSync(join(import.meta.dirname, '../docs/openapi.json'), 'utf8'),
  ) as object;
  const placeholders: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (value === 'text' && /\/example\b/.test(path) && !/\/type$/.test(path)) placeholders.push(path);
    if (value && typeof value === 'object')
      for (const [name, member] of Object.entries(value)) look(member, `${path}/${name}`);
  };
  look(document, '');
  expect(placeholders.filter((path) => !BYTES.test(path))).toEqual([]);
});
