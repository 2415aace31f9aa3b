import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { createDatabase, type TestDatabase } from '../../support/postgres.mjs';
import { ServiceProcess } from '../../support/service-process.js';
import { useService } from '../../support/service.js';
import { hasSmallDisks } from '../../support/small-disk.js';
import { Plantation, SECRET, type Mistake } from './planted-mistakes.js';

/**
 * Mistakes that operators make, each planted in an installation. A start must end with one sentence that names the
 * setting, the cause and the way out, without a secret and without a stack, and with the exit code that shows a
 * supervisor whether another try can help. docs/operations.md quotes each message. A data folder that another service
 * uses is in data-dir-lock.api-spec.ts.
 */
const service = useService();
const plantation = new Plantation();
let empty: TestDatabase;
let later: TestDatabase;
beforeAll(async () => {
  await plantation.make();
  [empty, later] = [await createDatabase(), await createDatabase()];
  const client = new Client({ connectionString: later.url });
  await client.connect();
  await client.query(
    `INSERT INTO schema_needs (migration, version) VALUES ('RenamedKeys4102444800000', '9.0.0')`,
  );
  await client.end();
});
afterAll(async () => {
  plantation.remove();
  await empty?.drop();
  await later?.drop();
});

interface Row {
  mistake: string;
  exit: string;
  says: string;
}

/** The rows of the table in docs/operations.md. */
function documented(): Row[] {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
  const table = page.split('<!-- what the start refuses -->')[1]?.split('\n\n')[1] ?? '';
  return table
    .split('\n')
    .slice(2)
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll('\\|', '|')))
    .map(([, mistake, exit, says]) => ({ mistake: mistake!, exit: exit!, says: says! }));
}

/** Leaves out what differs from host to host: paths, addresses, numbers, line breaks and the state of the name service. */
const shapeOf = (text: string) =>
  text
    .replace(/(?<=[\s(=]|^)\/[\w./-]+(?<![.,])/g, 'PATH')
    .replace(/\b(\d+\.){3}\d+\b/g, 'ADDRESS')
    .replace(/\d+/g, 'N')
    .replace('EAI_AGAIN', 'ENOTFOUND')
    .replace(/\s+/g, ' ');

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A message as the page shows it, where `…` stands for any text. */
const asWritten = (says: string) => new RegExp(`^${shapeOf(says).split('…').map(escaped).join('[^]*')}$`);

const START = 'The service did not start. ';

interface LogLine {
  level: string;
  time: string;
  context: string;
  msg: string;
  exitCode?: number;
}

/** Starts the service with the mistake, and returns the message and how the process ended. */
async function plant({
  settings,
  uid,
  isWarning,
}: Mistake): Promise<{ exit: string; says: string; log: string }> {
  const started = new ServiceProcess({ DATA_DIR: plantation.at('data'), ...settings }, { uid });
  const { code } = await started.ended;
  const { log } = started;
  // Each line of a start that fails is a line of the log, whatever the mistake.
  const lines = log.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as LogLine]));
  for (const line of lines) expect(Date.parse(line.time)).not.toBeNaN();
  if (isWarning)
    return { exit: 'warning', says: lines.find(({ context }) => context === 'Settings')?.msg ?? log, log };
  const last = lines.at(-1);
  expect(last).toMatchObject({
    level: 'fatal',
    exitCode: code,
    msg: expect.stringMatching(/^The service did/),
  });
  return { exit: String(code), says: last!.msg.slice(START.length), log };
}

async function expectAsDocumented(name: string, mistake: Mistake): Promise<string> {
  const { log, ...planted } = await plant(mistake);
  const row = documented().find((one) => one.mistake === name);
  expect({ ...planted, says: shapeOf(planted.says) }).toEqual({
    exit: row?.exit,
    says: expect.stringMatching(asWritten(row?.says ?? 'no row in docs/operations.md')),
  });
  expect(planted.says).not.toMatch(/\n\s+at /);
  expect(log).not.toContain(SECRET);
  return log;
}

const isFull = process.env['TEST_SIZE'] === 'full';
const EARLY = Object.keys(plantation.early());
/** Each is a start of its own: normally every third, and all at full size. */
const STARTED = EARLY.filter((_, at) => isFull || at % 3 === 0);
const LATE = Object.keys(plantation.late({ databaseUrl: '', emptyDatabaseUrl: '', laterDatabaseUrl: '' }));
/** These load the whole application, which takes seconds: normally one of each kind, and all at full size. */
const ONE_OF_EACH_KIND = ['a key ring that was lost', 'a catalogue entry with an error'];

describe('a start with', () => {
  it.each(STARTED)('%s says what is wrong and what to do, before it opens a database', async (name) => {
    expect(await expectAsDocumented(name, plantation.early()[name]!)).not.toMatch(
      /PostgreSQL (database in|runs as)/,
    );
  });

  it.each(isFull ? LATE : ONE_OF_EACH_KIND)('%s says what is wrong and what to do', async (name) => {
    const used = {
      databaseUrl: service.databaseUrl,
      emptyDatabaseUrl: empty.url,
      laterDatabaseUrl: later.url,
    };
    await expectAsDocumented(name, plantation.late(used)[name]!);
  });
});

it('a start on a host whose clock is wrong warns of it', async () => {
  const started = new ServiceProcess({
    DATABASE_URL: service.databaseUrl,
    DATA_DIR: plantation.at('clock'),
    ENCRYPTION_KEYRING_FILE: join(service.dataDir, 'keyring.json'),
    NODE_OPTIONS: `--import=${join(import.meta.dirname, '../../support/shifted-clock.mjs')}`,
  });
  await started.ready();
  await started.end();
  expect(started.log).toMatch(
    /"warn".*The clock of this host is 400 days ahead of the clock of the database, so keys .*Synchronise the clocks/,
  );
});

it('every mistake that docs/operations.md lists is planted', () => {
  const lacking = documented().map(({ mistake }) => mistake);
  const planted = [...EARLY, ...LATE, ...(hasSmallDisks ? [] : ['a `DATA_DIR` on a read-only disk'])];
  expect(lacking.filter((mistake) => !planted.includes(mistake))).toEqual([]);
  expect(planted.filter((mistake) => !lacking.includes(mistake))).toEqual([]);
});
