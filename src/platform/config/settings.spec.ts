import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { VERSION } from './settings.js';

it('VERSION is the version of package.json', () => {
  const file = join(import.meta.dirname, '../../../package.json');
  expect((JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version).toBe(VERSION);
});
