import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceProcess } from '../../support/service-process.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const START = join(ROOT, 'scripts/start.mjs');
/** The migration of 0.9.0, which runs on its own result as well. */
const LAST = '1764095001000';
const LIMIT_MS = 240_000;

let folder = '';
let service: ServiceProcess | null = null;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'awp-upgrade-'));
});
afterEach(async () => {
  await service?.end();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}, LIMIT_MS);

const start = (...args: string[]) =>
  new ServiceProcess({ DATA_DIR: join(folder, 'data') }, { main: START, args, cwd: folder });
const backups = () => readdirSync(folder).filter((name) => name === 'data-backups');
const record = () => join(folder, 'data', 'migrated.json');

describe('npm start on an embedded database', () => {
  it(
    'makes no backup of a new one, and records the last migration of its build',
    async () => {
      service = start();
      await service.ready();
      await service.end();
      expect(backups()).toEqual([]);
      const { lastMigration } = JSON.parse(readFileSync(record(), 'utf8')) as { lastMigration: string };
      const rows = JSON.parse(readFileSync('migrations/versions.json', 'utf8')) as {
        lastMigration: string;
      }[];
      expect(lastMigration).toBe(rows.at(-1)!.lastMigration);
      // A folder of an earlier version has no record, or another one; this database lacks nothing all the same.
      writeFileSync(record(), '{"lastMigration":"1763700000000-users-agents-keys"}');
      service = start();
      await service.ready();
      expect(backups()).toEqual([]);
      expect(JSON.parse(readFileSync(record(), 'utf8'))).toEqual({ lastMigration });
    },
    LIMIT_MS,
  );

  it(
    'backs up what an earlier version left, says so, and then migrates',
    async () => {
      service = start();
      await service.ready();
      await service.end();
      await forgetLastMigration();
      service = start();
      await service.ready();
      await service.end();
      const [said, done] = ['migration(s) of this version are to run', 'Backed up '].map((words) =>
        service!.log.indexOf(words),
      );
      expect([said! >= 0, done! > said!, service.log.indexOf('Data folder: ') > done!]).toEqual([
        true,
        true,
        true,
      ]);
      const [made] = readdirSync(join(folder, 'data-backups'));
      const manifest = JSON.parse(
        readFileSync(join(folder, 'data-backups', made!, 'manifest.json'), 'utf8'),
      ) as { migrations: { timestamp: string }[] };
      expect(manifest.migrations.map(({ timestamp }) => timestamp)).not.toContain(LAST);
    },
    LIMIT_MS,
  );

  it(
    'does not migrate where the backup cannot be made, unless it is started with --no-backup',
    async () => {
      service = start();
      await service.ready();
      await service.end();
      await forgetLastMigration();
      writeFileSync(join(folder, 'data-backups'), 'a file in the place of the folder');
      service = start();
      expect(await service.ended).toMatchObject({ code: 1 });
      expect(service.log).toContain('The backup before the upgrade failed: ');
      expect(service.log).not.toContain('Migration ');
      service = start('--no-backup');
      await service.ready();
      expect(service.log).toContain(`Migration LoggedSequenceOfLogLines${LAST} ran`);
    },
    LIMIT_MS,
  );
});

/** Makes the database one of the version before: the migration can run a second time. */
async function forgetLastMigration(): Promise<void> {
  const forget = `
    const { withClient } = await import(${JSON.stringify(join(ROOT, 'scripts/keys/database.mjs'))});
    await withClient({ dataDir: process.env.DATA_DIR, databaseUrl: null, databaseDirectUrl: null }, (client) =>
      client.query('DELETE FROM migrations WHERE timestamp = ${LAST}'));`;
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: join(folder, 'data') };
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', forget], { env });
  rmSync(record());
}
