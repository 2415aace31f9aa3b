import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { aProject } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAdmin } from '../../../support/callers.js';
import { OneConnection } from '../../../support/database-of.js';
import { type Service, useService } from '../../../support/service.js';
import { until } from '../../../support/until.js';
import { expectInvariants } from '../issues/invariants.js';
import { canonical, ended, exported, type Imported, linesOf, report, send } from './import-requests.js';

const service = useService({ ownProcess: true });
const ISSUES = 1_000;

/** Issues in chains of ten, each with a comment and a parent for every fifth. */
function aLargeFile(): string {
  const at = '2026-01-02T03:04:05.000Z';
  const createdBy = { type: 'user', name: 'Ada' };
  const numbers = Array.from({ length: ISSUES }, (_, index) => index);
  const lines: object[] = [
    { kind: 'project', format: 'agent-work-platform', version: 1 },
    ...numbers.map((n) => ({
      kind: 'issue',
      externalId: `x:${n}`,
      title: `Issue ${n}`,
      description: 'text',
      status: 'Open',
      labels: [`label ${n % 20}`],
      createdBy,
      createdAt: at,
      updatedAt: at,
    })),
    ...numbers
      .filter((n) => n % 10 > 0)
      .map((n) => ({
        kind: 'link',
        linkType: 'Blocks',
        source: `x:${n - 1}`,
        target: `x:${n}`,
        createdBy,
        createdAt: at,
      })),
    ...numbers.map((n) => ({
      kind: 'comment',
      externalId: `x:c${n}`,
      issue: `x:${n}`,
      content: `Comment ${n}`,
      createdBy,
      createdAt: at,
      updatedAt: at,
    })),
    { kind: 'end' },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

it('continues after kill -9 in each pass, and makes each object once', async () => {
  const admin = await asAdmin(service);
  const project = await aProject(admin);
  const file = aLargeFile();
  const { body: started } = await send(admin, project, file);
  // In the middle of the issues, and of the links and comments.
  for (const from of [200, ISSUES + 200]) {
    await until(async () => (await report(admin, started)).done >= from);
    await service.kill();
    const [row] = await service.sql<{ done: number; state: string }>('SELECT done, state FROM imports');
    expect(row!.state).toBe('running');
    expect(row!.done).toBeLessThan(linesOf(file).length - 1);
    // As after the time that a claim lasts.
    await service.sql('UPDATE imports SET claimed_until = NULL');
    await service.start();
  }
  await expectOnce(admin, project, started, file);
});

it('stops when its process stood still until another one had taken it over', async () => {
  const admin = await asAdmin(service);
  const project = await aProject(admin);
  const file = aLargeFile();
  // The other process starts when this one has the import, and waits for its project.
  const holder = await OneConnection.open(service.databaseUrl);
  await holder.rows('BEGIN');
  await holder.rows('SELECT 1 FROM projects WHERE id = $1 FOR NO KEY UPDATE', [project.id]);
  const { body: started } = await send(admin, project, file);
  const here = await until(() => takenBy(started));
  const other = await service.second();
  shareStore(other);
  await holder.rows('COMMIT');
  await holder.end();
  await until(async () => (await report(admin, started)).done >= 200);
  await stopBetweenBatches();
  try {
    const [row] = await service.sql<{ done: number }>('SELECT done FROM imports WHERE id = $1', [started.id]);
    const before = row!.done;
    expect([before < ISSUES * 2, await takenBy(started)]).toEqual([true, here]);
    await service.sql('UPDATE imports SET claimed_until = NULL WHERE id = $1', [started.id]);
    await until(async () => (await takenBy(started)) !== here);
    await until(async () => (await report(other.owner, started)).done > before);
  } finally {
    process.kill(service.pid, 'SIGCONT');
  }
  await expectOnce(admin, project, started, file);
});

/**
 * Stops the process where it has written a batch and looks whether its person may go on. In the middle of a batch its transaction would
 * hold off the other process, and be ended by the database before that one has come further.
 */
async function stopBetweenBatches(): Promise<void> {
  const holder = await OneConnection.open(service.databaseUrl);
  for (let isWriting = true; isWriting;) {
    await holder.rows('BEGIN');
    await holder.rows('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    ({ isWriting } = await until(() => readerOfUsers()));
    if (!isWriting) process.kill(service.pid, 'SIGSTOP');
    await holder.rows('COMMIT');
  }
  await holder.end();
}

/** Returns the connection that waits for the table of users, and whether it is in a transaction that writes. */
async function readerOfUsers(): Promise<{ isWriting: boolean } | null> {
  const [found] = await service.sql<{ isWriting: boolean }>(
    `SELECT backend_xid IS NOT NULL AS "isWriting" FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%"users"%'`,
  );
  return found ?? null;
}

/** Both keep attachments in one folder, as on a network disk. */
function shareStore(other: Service): void {
  const folder = join(other.dataDir, 'attachments');
  rmSync(folder, { recursive: true, force: true });
  symlinkSync(join(service.dataDir, 'attachments'), folder);
}

async function takenBy({ id }: Imported): Promise<string | null> {
  return (await service.sql<{ claim: string | null }>('SELECT claim FROM imports WHERE id = $1', [id]))[0]!
    .claim;
}

async function expectOnce(admin: Caller, project: { id: string }, started: Imported, file: string) {
  const total = linesOf(file).length - 2;
  expect(await ended(admin, started)).toMatchObject({
    state: 'completed',
    total,
    done: total,
    created: total + 20,
    updated: 0,
    skipped: 0,
    errors: [],
  });
  const lines = canonical(await exported(admin, project));
  const of = (kind: string) => lines.filter((line) => line['kind'] === kind);
  const ids = of('issue').map(({ externalId }) => externalId);
  expect(new Set(ids).size).toBe(ISSUES);
  expect([ids.length, of('link').length, of('comment').length]).toEqual([ISSUES, ISSUES * 0.9, ISSUES]);
  await expectInvariants(service);
  const left = await service.sql('SELECT id FROM attachment_leftovers WHERE is_upload');
  expect(left).toEqual([]);
}
