import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BACKUP, run } from '../../support/backup-commands.js';
import { useService } from '../../support/service.js';

/** The commands name the setting that is in use: the one that was set, whose file is to be corrected. */
const service = useService();
const script = (name: string) => resolve(import.meta.dirname, `../../../scripts/${name}.mjs`);
let folder = '';
let backup = '';
const at = (...names: string[]) => join(folder, ...names);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-commands-'));
  await writeFile(at('nowhere'), 'postgres://awp@127.0.0.1:1/awp');
  await writeFile(at('used'), service.databaseUrl);
  const settings = { DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir };
  expect(await run(BACKUP, [at('data')], settings)).toMatchObject({ code: 0 });
  backup = at('data', (await readdir(at('data')))[0]!);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Each command, with arguments that lead it to the database. */
const COMMANDS: [name: string, args: () => string[]][] = [
  ['keys', () => ['check']],
  ['backup', () => [at('more')]],
  ['restore', () => [backup, '--ring', join(service.dataDir, 'keyring.json')]],
  ['archive', () => ['--list']],
  ['migrate', () => []],
  ['doctor', () => []],
];

describe.each(COMMANDS)('npm run %s', (name, args) => {
  it.each([
    ['DATABASE_URL_FILE', () => ({ DATABASE_URL_FILE: at('nowhere') })],
    [
      'DATABASE_DIRECT_URL_FILE',
      () => ({ DATABASE_URL_FILE: at('used'), DATABASE_DIRECT_URL_FILE: at('nowhere') }),
    ],
  ])('names %s where the database that it leads to does not respond', async (setting, settings) => {
    const { code, said } = await run(script(name), args(), {
      ...settings(),
      DATA_DIR: at(`home-${name}`),
      PORT: '0',
    });
    expect(code).not.toBe(0);
    expect(said).toContain(`${setting}: no PostgreSQL responds at 127.0.0.1:1 (ECONNREFUSED)`);
    expect(said).toMatch(new RegExp(`correct host and port in ${setting}\\b`));
    expect(said).not.toMatch(/DATABASE_(DIRECT_)?URL\b/);
  });
});

it('npm run restore says which file leads to a database that is not empty', async () => {
  const settings = { DATABASE_URL_FILE: at('used'), DATA_DIR: at('home') };
  const { code, said } = await run(
    script('restore'),
    [backup, '--ring', join(service.dataDir, 'keyring.json')],
    settings,
  );
  expect(code).toBe(78);
  expect(said).toMatch(
    /^The database of DATABASE_URL_FILE is not empty: .* name it in DATABASE_URL_FILE\.$/m,
  );
});
