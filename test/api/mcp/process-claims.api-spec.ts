import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { Subject } from 'rxjs';
import type { DatabaseService } from '../../../src/platform/database/database.service.js';
import { ServiceClient, type ServiceClientConfig } from '../../../src/platform/database/service.client.js';
import {
  type Process,
  ProcessClaimsService,
} from '../../../src/mcp/tools-hosts/process-claims-and-absence.service.js';
import { createDatabase, type TestDatabase } from '../../support/postgres.mjs';
import { until } from '../../support/until.js';

const NEVER = new AbortController().signal;
const process = (scope: string): Process => ({ serverId: 'server', scope });
/** More than one, so that taking them again is more than one statement. */
const SCOPES = ['a', 'b', 'c', 'd'];

/** The claims of one host, on a connection that a test can hold up. */
class Host {
  /** Called before each connection. */
  onConnect: (() => void) | null = null;
  /** Where connections lead while the database is out of reach of this host. */
  isAway = false;
  readonly lost: string[] = [];
  readonly claims: ProcessClaimsService;

  constructor(url: string) {
    const database = {
      renewed: new Subject<void>(),
      separateClient: (config: ServiceClientConfig) => {
        this.onConnect?.();
        return new ServiceClient({
          connectionString: this.isAway ? 'postgres://awp@127.0.0.1:1/none' : url,
          ...config,
        });
      },
    } as unknown as DatabaseService;
    this.claims = new ProcessClaimsService(database);
    this.claims.lost.subscribe(({ scope }) => this.lost.push(scope));
  }

  take(scope: string): Promise<() => void> {
    return this.claims.take(process(scope), NEVER);
  }
}

describe('the claims of a tools host', () => {
  let database: TestDatabase;
  let watching: Client;
  let hosts: Host[];
  beforeAll(async () => {
    database = await createDatabase();
    watching = new Client({ connectionString: database.url });
    await watching.connect();
    await watching.query('CREATE TABLE IF NOT EXISTS tools_hosts (id uuid PRIMARY KEY, seen_at timestamptz)');
  });
  beforeEach(() => {
    hosts = [new Host(database.url), new Host(database.url)];
  });
  afterEach(async () => {
    for (const { claims } of hosts) await claims.onApplicationShutdown();
    await until(async () => (await locks()).length === 0);
  });
  afterAll(async () => {
    await watching?.end();
    await database?.drop();
  });

  /** The name of the session that has each lock. */
  async function locks(): Promise<string[]> {
    const { rows } = await watching.query<{ host: string }>(
      `SELECT application_name AS host FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE locktype = 'advisory' AND granted AND application_name LIKE 'awp-tools:%' AND datname = current_database()`,
    );
    return rows.map(({ host }) => host);
  }
  const locksOf = async ({ claims }: Host) =>
    (await locks()).filter((one) => one.endsWith(claims.hostId)).length;
  const killSession = ({ claims }: Host) =>
    watching.query(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = $1',
      [`awp-tools:${claims.hostId}`],
    );

  it('are taken again on another session when theirs is terminated, and no other host gets one', async () => {
    const [one, other] = hosts as [Host, Host];
    const releases = await Promise.all(SCOPES.map((scope) => one.take(scope)));
    let isTaken = false;
    await killSession(one);
    await until(async () => (await locksOf(one)) === SCOPES.length);
    const waiting = other.take('a').then((release) => ((isTaken = true), release));
    await new Promise<void>((resolve) => one.claims.wanted.subscribe(() => resolve()));
    expect({ isTaken, lost: one.lost }).toEqual({ isTaken: false, lost: [] });
    for (const release of releases) release();
    (await waiting)();
    await until(async () => (await locks()).length === 0);
  });

  it('are given back whole, however often the session ended and whatever was taken meanwhile', async () => {
    const [one, other] = hosts as [Host, Host];
    const releases = await Promise.all(SCOPES.map((scope) => one.take(scope)));
    for (let round = 0; round < 5; round += 1) {
      // The last one in the order in which they are taken again.
      const again = new Promise<() => void>((resolve) => {
        one.onConnect = () => {
          one.onConnect = null;
          queueMicrotask(() => resolve(one.take('d')));
        };
      });
      await killSession(one);
      releases.push(await again);
    }
    await until(async () => (await locksOf(one)) === SCOPES.length);
    await one.claims.confirmed();
    for (const release of releases) release();
    await until(async () => (await locks()).length === 0);
    (await other.take('d'))();
    expect(one.lost).toEqual([]);
  });

  it('are taken again also when the next session ends while it takes them', async () => {
    const [one] = hosts as [Host, Host];
    const releases = await Promise.all(SCOPES.map((scope) => one.take(scope)));
    for (let round = 0; round < 10; round += 1) {
      await killSession(one);
      await until(async () => (await locksOf(one)) > 0);
    }
    await until(async () => (await locksOf(one)) === SCOPES.length);
    for (const release of releases) release();
    await until(async () => (await locks()).length === 0);
    expect(one.lost).toEqual([]);
  });

  it('are reported as lost, and only those, where another host took them while this one was away', async () => {
    const [one, other] = hosts as [Host, Host];
    const releases = await Promise.all(SCOPES.map((scope) => one.take(scope)));
    one.isAway = true;
    await killSession(one);
    const taken = await other.take('b');
    one.isAway = false;
    await until(() => one.lost.length > 0);
    await one.claims.confirmed();
    expect(one.lost).toEqual(['b']);
    expect({ one: await locksOf(one), other: await locksOf(other) }).toEqual({ one: 3, other: 1 });
    for (const release of [...releases, taken]) release();
    await until(async () => (await locks()).length === 0);
  });

  it('let a call wait until they are certain, and refuse it in time where the database is away', async () => {
    const [one] = hosts as [Host, Host];
    const release = await one.take('a');
    one.isAway = true;
    await killSession(one);
    await expect(one.claims.confirmed()).rejects.toThrow(/did not say in time/);
    one.isAway = false;
    await until(async () => (await locksOf(one)) === 1);
    await one.claims.confirmed();
    release();
  });
});
