import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run } from '../../support/backup-commands.js';
import { useService } from '../../support/service.js';

const SCRIPTS = resolve(import.meta.dirname, '../../../scripts');
const LATER = 'Later4102444800000';
const service = useService();
/** Ends what it started: a third service beside two others would need a process of its own. */
async function logOfStart(): Promise<string> {
  const other = await service.second();
  await other.stop();
  return other.log;
}

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'awp-later-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command with the settings of the service. */
const command = (name: string, ...args: string[]) =>
  run(join(SCRIPTS, `${name}.mjs`), args, { DATABASE_URL: service.databaseUrl, DATA_DIR: service.dataDir });
/** The exit code of the doctor, and its verdict on the database with the fix. */
async function verdict(): Promise<{ code: number; verdict: string }> {
  const { code, said } = await command('doctor');
  return {
    code,
    verdict: /^\S+ +database +.*(?:\n +->.*)?/m.exec(said)![0].replaceAll(/\s+/g, ' '),
  };
}

describe('a database that a later version has migrated', () => {
  let warning: RegExp;
  beforeAll(async () => {
    expect(await logOfStart()).not.toContain('A later version');
    const [last] = await service.sql<{ name: string }>(
      'SELECT name FROM migrations ORDER BY timestamp DESC LIMIT 1',
    );
    warning = new RegExp(
      `A later version has migrated the database: its schema is ${LATER}, and version [\\d.]+ knows ${last!.name}`,
    );
    await service.sql('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [4_102_444_800_000, LATER]);
  });

  it('is a warning at the start, with both schemas, and a note of the doctor in the same words', async () => {
    const line = (await logOfStart()).split('\n').find((text) => text.includes('A later version'));
    expect(JSON.parse(line!)).toMatchObject({
      level: 'warn',
      context: 'Migrations',
      msg: expect.stringMatching(warning),
    });
    const doctor = await verdict();
    expect(doctor.verdict).toMatch(/^note /);
    expect(doctor.verdict).toMatch(warning);
    expect(doctor.code).toBe(0);
  });

  it.each([
    ['keys', 'rotate'],
    ['keys', 'retire', 'k1'],
    ['archive', '2026-01'],
    ['archive', '--restore', '2026-01'],
  ])('is refused by %s %s with 78', async (...[name, ...args]) => {
    const { code, said } = await command(name, ...args);
    expect(code).toBe(78);
    expect(said).toMatch(warning);
    expect(said).toContain('Run this command of that version');
  });

  it('is refused by a backup, which leaves nothing behind', async () => {
    const { code, said } = await command('backup', folder);
    expect([code, said]).toEqual([78, expect.stringMatching(warning)]);
    expect(await readdir(folder)).toEqual([]);
  });

  describe('and that needs a later version', () => {
    beforeAll(async () => {
      const mark = 'INSERT INTO schema_needs (migration, version) VALUES ($1, $2)';
      // The highest counts, whatever its place among texts.
      await service.sql(mark, ['Earlier4102444700000', '9.0.0']);
      await service.sql(mark, [LATER, '10.2.0']);
    });

    it('ends the start with 78, before it changes anything, and names that version', async () => {
      await service.sql(`DELETE FROM migrations WHERE name LIKE 'EndsOfChores%'`);
      const sentence =
        /The database needs version 10\.2\.0 or later since the migration Later4102444800000, and this is version [\d.]+\. Install version 10\.2\.0 or a later one/;
      const start = service.second({}, { ownProcess: true });
      await expect(start).rejects.toThrow(/"code":78/);
      await expect(start).rejects.toThrow(sentence);
      expect(await command('migrate')).toEqual({ code: 78, said: expect.stringMatching(sentence) });
      const rows = await service.sql(`SELECT FROM migrations WHERE name LIKE 'EndsOfChores%'`);
      expect(rows).toEqual([]);
    });

    it('is an error of the doctor in the same words', async () => {
      const { verdict: said } = await verdict();
      expect(said).toMatch(/^ERROR database The database needs version 10\.2\.0 or later since/);
      expect(said).toMatch(
        /-> install version 10\.2\.0 or a later one, or restore the backup from before it$/,
      );
    });

    it('starts again once a version is new enough', async () => {
      await service.sql(`UPDATE schema_needs SET version = '0.7.0'`);
      await service.sql(
        `INSERT INTO migrations (timestamp, name) VALUES (1764070001000, 'EndsOfChores1764070001000')`,
      );
      expect(await logOfStart()).toContain('is ready at');
    });
  });
});
