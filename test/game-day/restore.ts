import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { BACKUP, RESTORE } from '../support/backup-commands.js';
import { anonymous } from '../support/callers.js';
import { DebianPostgres, postgresTools } from '../support/debian-postgres.js';
import { Service } from '../support/service.js';
import { environmentOf } from '../support/service-process.js';
import { compare, type Ledger, storedIn, unreadable } from './ledger.js';
import type { Scene } from './scene.js';
import type { World } from './world.js';

/** What was acknowledged before the backup began: a restore of it must have all of that. */
let before: Ledger | null = null;

/** The last backup is old; a new one is made under load, restored on another host, and compared there. */
export const restoreScene: Scene = {
  name: 'restore',
  does: 'The last backup is 27 hours old. Another one is made, and restored on another host: an empty folder, another PostgreSQL and a copy of the bucket.',
  cause: async (world) => {
    await command(world, BACKUP, [world.at('backups'), '--ring', world.at('rings')]);
    await world.database.sql(
      `UPDATE chores SET succeeded_at = now() - interval '27 hours' WHERE name = 'backup'`,
    );
  },
  remedy: async (world) => {
    before = world.workload.ledger.snapshot();
    await command(world, BACKUP, [world.at('backups'), '--ring', world.at('rings')]);
  },
  notices: { alerts: ['AwpBackupOverdue'] },
  metrics: ['awp_backup_last_success_timestamp_seconds', 'awp_backup_failed_attempts'],
  outcomes: /^(2\d\d|409)\b/,
  check: compareRestored,
};

/** Runs a command of the service with the settings of the service. @throws {Error} with its output when it fails */
function command(
  { names, settings }: Pick<World, 'names' | 'settings'>,
  script: string,
  args: string[],
  further: Record<string, string> = {},
): Promise<void> {
  const [program, ...rest] = [...names.within, process.execPath, script, ...args];
  const env = environmentOf({ ...settings, NODE_OPTIONS: '', ...further });
  return new Promise((resolve, reject) => {
    execFile(program!, rest, { env }, (error, stdout, stderr) =>
      error ? reject(new Error(`${script} failed: ${stdout}${stderr}`)) : resolve(),
    );
  });
}

async function compareRestored(world: World): Promise<string[]> {
  const postgres = await DebianPostgres.start(postgresTools()!);
  const bucket = await world.store.copy();
  const url = await postgres.createDatabase('restored');
  const place = world.at('restored');
  mkdirSync(place);
  const settings = {
    ...world.settings,
    ...{
      DATABASE_URL: url,
      DATABASE_URL_FILE: '',
      DATA_DIR: join(place, 'data'),
      PORT: '0',
      NODE_OPTIONS: '',
    },
    S3_ENDPOINT: bucket.settings['S3_ENDPOINT']!,
  };
  const service = new Service({ ownProcess: true, database: { url }, within: world.names.within, settings });
  try {
    const newest = (folder: string) =>
      join(world.at(folder), readdirSync(world.at(folder)).toSorted().at(-1)!);
    const ring = join(newest('rings'), 'keyring.json');
    await command(world, RESTORE, [newest('backups'), '--ring', ring], settings);
    await service.start();
    return await differences(world, service);
  } finally {
    await service.remove();
    await bucket.remove();
    await postgres.remove();
  }
}

/** Compares the restored service with what was acknowledged before the backup. */
async function differences(world: World, service: Service): Promise<string[]> {
  const found = compare(before!, await storedIn(service, world.project.id));
  const editor = world.editor.at(service);
  const ready = await anonymous(service).unchecked().get('/readyz');
  const { text } = await anonymous(service).unchecked().get('/metrics');
  return [
    ...[...found.lost, ...found.doubled].map((what) => `The restored service differs: ${what}.`),
    ...(await unreadable(editor, before!)).map((what) => `The restored service lacks ${what}.`),
    ...(ready.status === 200 ? [] : [`The restored service is not ready: ${ready.text}`]),
    ...(/^awp_invariant_violations\{[^}]*\} 0$/m.test(text) &&
    !/^awp_invariant_violations\{[^}]*\} [1-9]/m.test(text)
      ? []
      : ['The restored service violates invariants, or does not report them.']),
  ];
}
