import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { aProject } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { anonymous, asEditor, asViewer } from '../../support/callers.js';
import { aCertificate } from '../../support/certificate.js';
import { DurablePostgres } from '../../support/durable-postgres.js';
import { WatchedAlerts } from '../../support/prometheus/watched-alerts.js';
import { startService, type Service, type ServiceOptions } from '../../support/service.js';
import { hasSmallDisks, SmallDisk } from '../../support/small-disk.js';
import { until } from '../../support/until.js';

const DAY = 86_400;
const begun: Service[] = [];
const begin = async (options: ServiceOptions) => {
  const service = await startService(options);
  begun.push(service);
  return service;
};
afterEach(async () => {
  for (const service of begun.splice(0)) await service.remove();
});

describe('the alerts of the database', () => {
  let postgres: DurablePostgres;
  let url: string;
  let service: Service;
  let editor: Caller;
  let alerts: WatchedAlerts;
  beforeAll(async () => {
    postgres = await DurablePostgres.start();
    const database = await postgres.createDatabase('alerts');
    url = database.url;
    service = await startService({ database, settings: { DATABASE_POOL_SIZE: '2' } });
    editor = await asEditor(service);
    alerts = new WatchedAlerts(() => [service]);
  });
  afterAll(async () => {
    await service?.remove();
    await postgres?.remove();
  });

  /** Runs statements as the superuser, in one session that may write. */
  async function administer(...statements: string[]): Promise<void> {
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query('SET default_transaction_read_only = off');
    for (const statement of statements) await client.query(statement);
    await client.end();
  }
  const END_SESSIONS = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  const valueOf = async (series: string) => {
    const { text } = await anonymous(service).unchecked().get('/metrics');
    return text.split('\n').find((line) => line.startsWith(`${series} `)) ?? null;
  };

  it('fire for writes that are refused, with the reason', async () => {
    await alerts.scrape();
    expect(alerts.firing('AwpDatabaseNotWritable')).toEqual([]);
    await administer('ALTER DATABASE alerts SET default_transaction_read_only = on', END_SESSIONS);
    expect(await alerts.fires('AwpDatabaseNotWritable')).toEqual([
      expect.objectContaining({ labels: expect.objectContaining({ state: 'read-only' }) }),
    ]);
    expect(alerts.firing('AwpDatabaseUnreachable')).toEqual([]);
    await administer('ALTER DATABASE alerts RESET default_transaction_read_only', END_SESSIONS);
    await alerts.ends('AwpDatabaseNotWritable');
  });

  it('fire for a pool that is used up, and for requests that are slow because of it', async () => {
    const names = ['AwpDatabasePoolExhausted', 'AwpDatabaseConnectionsSlow', 'AwpSlowRequests'];
    const around = new WatchedAlerts(() => [service]);
    const firing = () => names.filter((name) => around.firing(name).length > 0);
    await around.scrape();
    expect(firing()).toEqual([]);
    const blocking = new Client({ connectionString: url });
    await blocking.connect();
    try {
      await blocking.query('BEGIN; LOCK TABLE projects IN ACCESS EXCLUSIVE MODE');
      // Prometheus sees no increase in the first value of a series, so a second round has to follow.
      for (let round = 0; round < 2; round += 1) {
        const waiting = Array.from({ length: 12 }, () => editor.unchecked().get('/api/projects'));
        // The rule wants five minutes of it: each scrape is looked at alone.
        await until(async () => {
          const once = new WatchedAlerts(() => [service]);
          await once.scrape();
          return once.firing('AwpDatabasePoolExhausted').length > 0;
        });
        await Promise.all(waiting);
        await around.scrape();
      }
    } finally {
      await blocking.end();
    }
    expect(firing()).toEqual(['AwpDatabaseConnectionsSlow', 'AwpSlowRequests']);
  });

  it('fire for transactions that are not frozen', async () => {
    await alerts.scrape();
    expect(alerts.firing('AwpTransactionAge')).toEqual([]);
    // A billion transactions take days, so the mark of the database is moved. The numbers are modulo 2^32.
    const client = new Client({ connectionString: await postgres.superuserUrl('alerts') });
    await client.connect();
    const move = `UPDATE pg_database SET datfrozenxid =
      ((txid_current() % 4294967296 + 4294967296 - 1100000000) % 4294967296)::text::xid WHERE datname = 'alerts'`;
    const other = await service.second();
    try {
      const seen = new WatchedAlerts(() => [other]);
      // Autovacuum sees it too, and puts the mark back where it was.
      await until(async () => {
        await client.query(move);
        await seen.scrape();
        return seen.firing('AwpTransactionAge').length > 0;
      }, 90);
    } finally {
      await client.end();
      await other.stop();
    }
  });

  it('fire for a database that is away, and for the requests that fail; its values are absent then, and come back', async () => {
    await aProject(editor);
    await until(() => valueOf('awp_agents_alive'));
    await alerts.scrape();
    for (const name of ['AwpDatabaseUnreachable', 'AwpServerErrors'])
      expect({ name, firing: alerts.firing(name) }).toEqual({ name, firing: [] });
    await postgres.stopFast();
    await alerts.fires('AwpDatabaseUnreachable');
    expect(alerts.firing('AwpNotReady')).toEqual([]);
    for (let count = 0; count < 20; count += 1) await editor.unchecked().get('/api/projects');
    await alerts.fires('AwpServerErrors');
    await until(async () => (await valueOf('awp_agents_alive')) === null);
    expect(await valueOf('awp_database_reachable')).toBe('awp_database_reachable 0');
    expect(await valueOf('awp_ready')).toBe('awp_ready 0');
    await postgres.startAgain();
    await alerts.ends('AwpDatabaseUnreachable');
    await until(() => valueOf('awp_agents_alive'));
  });
});

describe('the alerts of a process', () => {
  const planted = pathToFileURL(resolve(import.meta.dirname, '../../support/planted-errors.mjs'));

  it('fire for one that starts again and again, that is down, and for the last of all', async () => {
    const service = await begin({ ownProcess: true });
    const alerts = new WatchedAlerts(() => [service]);
    for (let start = 0; start < 3; start += 1) {
      await alerts.scrape();
      for (const name of ['AwpCrashLoop', 'AwpProcessDown', 'AwpNoProcess'])
        expect({ name, firing: alerts.firing(name) }).toEqual({ name, firing: [] });
      await service.kill();
      await service.start();
    }
    await alerts.fires('AwpCrashLoop');
    await service.kill();
    await alerts.fires('AwpProcessDown');
    await alerts.fires('AwpNoProcess');
  });

  it('fire for an error that no code handles, and for an event loop that is blocked', async () => {
    const service = await begin({
      ownProcess: true,
      settings: { NODE_OPTIONS: `--import=${planted.href}` },
    });
    const alerts = new WatchedAlerts(() => [service]);
    const plant = (kind: string) =>
      anonymous(service)
        .unchecked()
        .get('/livez', { headers: { 'x-planted': kind } });
    await alerts.scrape();
    await alerts.scrape();
    for (const name of ['AwpUnhandledRejections', 'AwpEventLoopBlocked'])
      expect({ name, firing: alerts.firing(name) }).toEqual({ name, firing: [] });
    await plant('rejection');
    await alerts.fires('AwpUnhandledRejections');
    await until(async () => {
      await plant('busy');
      await alerts.scrape();
      return alerts.firing('AwpEventLoopBlocked').length > 0;
    });
  });

  it.each([2, -2])('fire for a clock that is %d hours ahead, until it is put right', async (hours) => {
    const file = join(mkdtempSync(join(tmpdir(), 'awp-clock-')), 'ahead');
    const clock = pathToFileURL(resolve(import.meta.dirname, '../../support/movable-clock.mjs'));
    const service = await begin({
      ownProcess: true,
      settings: { NODE_OPTIONS: `--import=${clock.href}?file=${encodeURIComponent(file)}` },
    });
    const alerts = new WatchedAlerts(() => [service]);
    await alerts.scrape();
    expect(alerts.firing('AwpClockSkew')).toEqual([]);
    writeFileSync(file, String(hours * 3_600_000));
    expect(await alerts.fires('AwpClockSkew')).toHaveLength(1);
    writeFileSync(file, '0');
    await alerts.ends('AwpClockSkew');
  });

  it('fire for callers over their limit', async () => {
    const service = await begin({ settings: { RATE_LIMIT_PER_MINUTE: '20' } });
    const alerts = new WatchedAlerts(() => [service]);
    const viewer = (await asViewer(service)).unchecked();
    await alerts.scrape();
    for (let count = 0; count < 150; count += 1) await viewer.get('/api/projects');
    expect(await alerts.fires('AwpThrottled')).toEqual([
      expect.objectContaining({ labels: { code: 'rate_limited' } }),
    ]);
  });

  it('fire for a certificate that ends, and not a month before', async () => {
    const certificate = await aCertificate(40);
    try {
      const service = await begin({ ownProcess: true, settings: certificate.settings });
      const alerts = new WatchedAlerts(() => [service]);
      await alerts.scrape();
      const firing = (days: number) =>
        ['AwpCertificateNotRenewed', 'AwpCertificateExpires'].map(
          (name) => alerts.firing(name, days * DAY).length,
        );
      expect([5, 15, 22, 32, 34].map(firing)).toEqual([
        [0, 0],
        [0, 0],
        [1, 0],
        [1, 0],
        [1, 1],
      ]);
    } finally {
      await certificate.remove();
    }
  });

  (hasSmallDisks ? it : it.skip)('fire for one that is not ready while its database works', async () => {
    const disk = SmallDisk.of(64);
    try {
      const service = await begin({ settings: { DATA_DIR: disk.folder } });
      const alerts = new WatchedAlerts(() => [service]);
      await alerts.scrape();
      expect(alerts.firing('AwpNotReady')).toEqual([]);
      await disk.fill();
      await alerts.fires('AwpNotReady');
      disk.clear();
      await alerts.ends('AwpNotReady');
      await service.stop();
    } finally {
      disk.remove();
    }
  });
});

it('each rule that this file is named for has fired', () => {
  expect(WatchedAlerts.silent('alerts-outage')).toEqual([]);
});
