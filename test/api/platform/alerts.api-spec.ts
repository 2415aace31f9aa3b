import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { aProject, anIssue, createdBy, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAdmin, asAgent, asEditor } from '../../support/callers.js';
import { BACKUP, DRILL, run } from '../../support/backup-commands.js';
import { databaseSettings } from '../../support/database-settings.js';
import { WatchedAlerts } from '../../support/prometheus/watched-alerts.js';
import { type Service, useService } from '../../support/service.js';
import { hasSmallDisks, SmallDisk } from '../../support/small-disk.js';
import { until } from '../../support/until.js';
import { WebhookTarget } from '../../support/webhook-target.js';
import { leasesOf, sendHeartbeat } from '../gateway/heartbeat-requests.js';
import { grant, installed } from '../gateway/mcp-setting.js';
import { modern } from '../gateway/wire-call.js';
import { LocalCatalog } from '../mcp/local-catalog.js';
import { attachmentsOf, file, form } from '../work/attachments.forms.js';
import { aQuestion } from '../work/gates/gate-requests.js';

const [gone, down] = [await WebhookTarget.start(), '127.0.0.7:62082'];
gone.answer = (_, response) => void response.writeHead(410).end();
const catalog = new LocalCatalog()
  .stdio('dies', ['misbehaving.mjs', 'exit-in-call'])
  .stdio('broken', ['misbehaving.mjs', 'exit-at-once']);
const service = useService({
  settings: { CATALOG_DIRS: catalog.folder, OUTBOUND_ALLOWED_HOSTS: `${gone.host},${down}` },
});
afterAll(async () => {
  await gone.stop();
  catalog.remove();
});

let alerts: WatchedAlerts;
let editor: Caller;
let project: Project;
beforeAll(async () => {
  alerts = new WatchedAlerts(() => processes);
  editor = await asEditor(service);
  project = await aProject(editor);
});

const labels = (...each: Record<string, string>[]) =>
  each.map((one) => expect.objectContaining({ labels: expect.objectContaining(one) }));

/** All processes on the database: any of them may do the background work. */
const processes: Service[] = [service];

/** A process that begins now reads all values at once, where this one would keep some for a minute. */
async function seenByAnother(): Promise<WatchedAlerts> {
  const other = await service.second();
  processes.push(other);
  return new WatchedAlerts(() => [other]);
}

const DATABASE_OF_ALL = [
  'AwpDatabaseUnreachable',
  'AwpDatabaseNotWritable',
  'AwpNotReady',
  'AwpProcessDown',
  'AwpNoProcess',
  'AwpInvariantViolated',
];

describe('a service that works', () => {
  it('fires no alert but that no agent works, once an issue is open', async () => {
    await alerts.scrape();
    for (const name of DATABASE_OF_ALL)
      expect({ name, firing: alerts.firing(name) }).toEqual({ name, firing: [] });
    expect(alerts.firing('AwpNoAgents')).toEqual([]);
    await anIssue(editor, project);
    await alerts.fires('AwpNoAgents');
  });
});

describe('the alerts of the work', () => {
  it('fire for leases that run out', async () => {
    const agent = await asAgent(service, { maxConcurrentIssues: 20 });
    for (let count = 0; count < 11; count += 1) await anIssue(editor, project, { assignedAgentId: agent.id });
    await alerts.scrape();
    const held = leasesOf(await sendHeartbeat(agent, { capacity: 20 }));
    expect(held.length).toBeGreaterThan(10);
    expect(alerts.firing('AwpLeasesLost')).toEqual([]);
    await service.sql(`UPDATE issue_leases SET expires_at = now() - interval '1 second'`);
    await sendHeartbeat(agent, { capacity: 20 });
    await alerts.fires('AwpLeasesLost');
  });

  it('fire for a gate that waits', async () => {
    const issue = await anIssue(editor, project);
    const { id } = await aQuestion(editor, issue);
    await service.sql(`UPDATE gates SET created_at = now() - interval '2 days' WHERE id = $1`, [id]);
    expect(await alerts.fires('AwpGatesWait')).toEqual(labels({ kind: 'question' }));
  });

  it('fire for an invariant that somebody broke in the database', async () => {
    const issue = await anIssue(editor, project);
    await service.sql(`UPDATE issues SET status = 'WaitingOnDependency' WHERE id = $1`, [issue.id]);
    const other = await seenByAnother();
    expect(await other.fires('AwpInvariantViolated')).toEqual(labels({ invariant: 'waiting_for_nobody' }));
  });
});

describe('the alerts of webhooks', () => {
  it('fire for an address that is gone, whose deliveries are given up', async () => {
    await alerts.scrape();
    for (const name of ['AwpWebhooksGivenUp', 'AwpWebhookEnded']) expect(alerts.firing(name)).toEqual([]);
    await createdBy(await asAdmin(service), '/api/webhooks', { url: gone.url });
    await anIssue(editor, project);
    await alerts.fires('AwpWebhooksGivenUp');
    await alerts.fires('AwpWebhookEnded');
  });

  it('fire for an event that waits for an address that does not answer', async () => {
    await createdBy(await asAdmin(service), '/api/webhooks', { url: `http://${down}/hook` });
    await anIssue(editor, project);
    await until(
      async () => (await service.sql(`SELECT 1 FROM webhook_deliveries WHERE status = 'pending'`)).length,
    );
    await alerts.scrape();
    expect(alerts.firing('AwpWebhooksLate')).toEqual([]);
    await service.sql(
      `UPDATE webhook_deliveries SET created_at = now() - interval '1 hour' WHERE status = 'pending'`,
    );
    await alerts.fires('AwpWebhooksLate');
  });

  it('fire for an event that no process has made a delivery of', async () => {
    await service.sql(`DELETE FROM webhook_deliveries WHERE status = 'pending'`);
    await alerts.ends('AwpWebhooksLate');
    // Whoever holds the feed does not go on with it: as if no process did background work.
    const holder = new Client({ connectionString: service.databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN; SELECT 1 FROM webhook_feed FOR UPDATE');
      const { id } = await anIssue(editor, project);
      await service.sql('ALTER TABLE journal DISABLE TRIGGER USER');
      await service.sql(`UPDATE journal SET created_at = now() - interval '1 hour' WHERE issue_id = $1`, [
        id,
      ]);
      await service.sql('ALTER TABLE journal ENABLE TRIGGER USER');
      await alerts.fires('AwpWebhooksLate');
    } finally {
      await holder.end();
    }
    await alerts.ends('AwpWebhooksLate');
  });
});

describe('the alerts of MCP servers', () => {
  it('fire for a server in error', async () => {
    const server = await createdBy<{ id: string }>(service.owner, '/api/mcp/installed', {
      catalogId: 'broken',
      name: 'broken',
    });
    await service.owner.post(`/api/mcp/installed/${server.id}/verify`);
    await alerts.fires('AwpServersInError');
  });

  it('fire for calls that get no answer', async () => {
    const agent = await asAgent(service);
    const server = await installed(service, 'dies');
    await grant(service, server, agent);
    const call = { name: `${server.slug}__die`, arguments: {} };
    await modern(agent, 'tools/call', call);
    await alerts.scrape();
    expect(alerts.firing('AwpToolCallsFail')).toEqual([]);
    await modern(agent, 'tools/call', call);
    expect(await alerts.fires('AwpToolCallsFail')).toEqual(labels({ server: server.id }));
  });

  it('fire for a process that its service has left behind', async () => {
    const place = join(service.dataDir, 'mcp-run', '4194300-1-0123abcd', 'tmp');
    let left: ChildProcess | null = null;
    try {
      left = spawn('sleep', ['300'], { env: { PATH: process.env['PATH'], TMPDIR: place }, stdio: 'ignore' });
      await alerts.fires('AwpOrphanProcesses');
    } finally {
      left?.kill('SIGKILL');
    }
  });
});

describe('the alerts of upkeep', () => {
  it('fire for periodic work that fails, and that does not happen', async () => {
    const name = 'expired idempotency keys';
    await service.sql(
      `CREATE FUNCTION planted_failure() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''planted''; END'`,
    );
    await service.sql(
      'CREATE TRIGGER planted BEFORE DELETE ON idempotency_keys EXECUTE FUNCTION planted_failure()',
    );
    const failures = async () =>
      (await service.sql<{ failures: number }>('SELECT failures FROM chores WHERE name = $1', [name]))[0]!
        .failures;
    for (let start = 1; start <= 3; start += 1) {
      await service.sql(`UPDATE chores SET ran_at = now() - interval '1 day' WHERE name = $1`, [name]);
      await seenByAnother();
      await until(async () => (await failures()) === start);
    }
    expect(await alerts.fires('AwpChoreFails')).toEqual(labels({ chore: name }));
    expect(alerts.firing('AwpChoreOverdue')).toEqual([]);
    await service.sql(`UPDATE chores SET succeeded_at = now() - interval '1 hour' WHERE name = $1`, [name]);
    expect(await alerts.fires('AwpChoreOverdue')).toEqual(labels({ chore: name }));
    await service.sql('DROP TRIGGER planted ON idempotency_keys');
    await service.sql(`UPDATE chores SET ran_at = now() - interval '1 day' WHERE name = $1`, [name]);
    await seenByAnother();
    await alerts.ends('AwpChoreFails');
    await alerts.ends('AwpChoreOverdue');
  });

  it('fire for a backup or a restore on trial that fails, and for one that is old', async () => {
    const settings = { ...databaseSettings(service.databaseUrl), DATA_DIR: service.dataDir };
    const folder = `${service.dataDir}-backups`;
    await alerts.scrape();
    const names = ['AwpBackupFailed', 'AwpRestoreDrillFailed', 'AwpBackupOverdue', 'AwpRestoreDrillOverdue'];
    for (const name of names) expect(alerts.firing(name)).toEqual([]);
    expect(await run(BACKUP, [join(service.dataDir, 'inside')], settings)).toMatchObject({ code: 78 });
    expect(await run(DRILL, [folder], settings)).toMatchObject({ code: 78 });
    await alerts.fires('AwpBackupFailed');
    await alerts.fires('AwpRestoreDrillFailed');
    for (const name of names.slice(2)) expect(alerts.firing(name)).toEqual([]);
    try {
      expect(await run(BACKUP, [folder], settings)).toMatchObject({ code: 0 });
      expect(await run(DRILL, [folder], settings)).toMatchObject({ code: 0 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
    await alerts.ends('AwpBackupFailed');
    await alerts.ends('AwpRestoreDrillFailed');
    const overdue = (hours: number) =>
      names.slice(2).map((name) => alerts.firing(name, hours * 3_600).length);
    expect([25, 27, 14 * 24, 16 * 24].map(overdue)).toEqual([
      [0, 0],
      [1, 0],
      [1, 0],
      [1, 1],
    ]);
  });

  it('fire for partitions that are not made, and for a sequence that is used up', async () => {
    await alerts.scrape();
    for (const name of ['AwpPartitionsMissing', 'AwpSequenceUsedUp', 'AwpTransactionAge'])
      expect(alerts.firing(name)).toEqual([]);
    const partitions = await service.sql<{ name: string }>(
      `SELECT inhrelid::regclass::text AS name FROM pg_inherits
       WHERE inhparent = 'usage_hours'::regclass AND inhrelid::regclass::text ~ '_\\d{4}_\\d\\d$' ORDER BY 1`,
    );
    for (const [at, { name }] of partitions.entries())
      await service.sql(`ALTER TABLE ${name} RENAME TO usage_hours_2001_${String(at + 1).padStart(2, '0')}`);
    await service.sql('CREATE SEQUENCE planted_seq MAXVALUE 100');
    await service.sql(`SELECT setval('planted_seq', 90)`);
    const other = await seenByAnother();
    expect(await other.fires('AwpPartitionsMissing')).toEqual(labels({ table: 'usage_hours' }));
    await other.fires('AwpSequenceUsedUp');
    for (const [at, { name }] of partitions.entries())
      await service.sql(`ALTER TABLE usage_hours_2001_${String(at + 1).padStart(2, '0')} RENAME TO ${name}`);
    await service.sql('DROP SEQUENCE planted_seq');
  });
});

describe('the alerts of attachments', () => {
  const folder = () => join(service.dataDir, 'attachments');
  const upload = async () => {
    const issue = await anIssue(editor, project);
    return (await editor.unchecked().request('POST', attachmentsOf(issue), form(file()))).status;
  };

  it('fire for a store that takes no bytes', async () => {
    expect(await upload()).toBe(201);
    await alerts.scrape();
    expect(alerts.firing('AwpAttachmentStoreErrors')).toEqual([]);
    rmSync(folder(), { recursive: true });
    writeFileSync(folder(), '');
    expect(await upload()).toBeGreaterThanOrEqual(500);
    const fired = await alerts.fires('AwpAttachmentStoreErrors');
    expect(fired).toEqual(expect.arrayContaining(labels({ operation: 'write' })));
    rmSync(folder());
    mkdirSync(folder());
  });

  (hasSmallDisks ? it : it.skip)('fire for a disk that becomes full', async () => {
    const disk = SmallDisk.of(16);
    try {
      rmSync(folder(), { recursive: true });
      symlinkSync(disk.folder, folder());
      await alerts.scrape();
      for (const name of ['AwpDiskFills', 'AwpDiskNearlyFull']) expect(alerts.firing(name)).toEqual([]);
      await disk.fill();
      expect(await alerts.fires('AwpDiskNearlyFull')).toEqual(labels({ folder: 'attachments' }));
      expect(alerts.firing('AwpDiskFills')).toEqual(labels({ folder: 'attachments' }));
    } finally {
      rmSync(folder());
      mkdirSync(folder());
      disk.remove();
    }
  });
});

it('each rule that this file is named for has fired', () => {
  expect(WatchedAlerts.silent('alerts')).toEqual([]);
});
