import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { Client } from 'pg';
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../../src/platform/embedded-postgres/embedded-postgres.js';
import { readPostmasterPid } from '../../../src/platform/embedded-postgres/postgres-process.js';
import { until } from '../../support/until.js';
import { endOwners } from './embedded-owners.js';

/** The cluster of a test file, in its own folder, and the server that a test has started. */
export class EmbeddedSubject {
  dataDir = '';
  /** The reasons that the last start reported by onExit. */
  exits: string[] = [];
  /** The pid of a stopped child of a server, 0 when there is none. */
  frozen = 0;
  private running: EmbeddedPostgres | null = null;

  /** Registers the hooks that create the folder and remove everything. */
  static forThisFile(): EmbeddedSubject {
    const subject = new EmbeddedSubject();
    beforeAll(async () => {
      subject.dataDir = await mkdtemp(join(tmpdir(), 'awp-embedded-'));
      await (await subject.start()).stop();
    });
    afterEach(() => subject.end());
    afterAll(() => rm(subject.dataDir, { recursive: true, force: true }));
    return subject;
  }

  async start(
    dataDir = this.dataDir,
    settings: Record<string, string> = { fsync: 'off' },
  ): Promise<EmbeddedPostgres> {
    const seen: string[] = (this.exits = []);
    const onExit = (reason: string) => void seen.push(reason);
    this.running = await startEmbeddedPostgres({ dataDir, settings, onExit, log: () => undefined });
    return this.running;
  }

  async query(sql: string, url = this.running?.url): Promise<unknown[]> {
    const client = new Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(sql)).rows as unknown[];
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  async serverPid(): Promise<number> {
    return (await readPostmasterPid(join(this.dataDir, 'postgres')))?.pid ?? 0;
  }

  async killServer(): Promise<void> {
    const pid = await this.serverPid();
    process.kill(pid, 'SIGKILL');
    await until(async () => !(await isRunning(pid)));
  }

  /** Stops a session's process, so that it survives its server for a while. */
  async freezeChild(): Promise<void> {
    const client = new Client({ connectionString: this.running?.url });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    this.frozen = rows[0]?.pid ?? 0;
    process.kill(this.frozen, 'SIGSTOP');
    await rm(join(this.dataDir, 'postgres.log'));
  }

  /** Resolves when a new server has met the child of the dead one. */
  refusalLogged(): Promise<boolean> {
    const log = join(this.dataDir, 'postgres.log');
    return until(async () => (await readFile(log, 'utf8').catch(() => '')).includes('is still in use'));
  }

  private async end(): Promise<void> {
    if (this.frozen && (await isRunning(this.frozen))) process.kill(this.frozen, 'SIGKILL');
    await until(async () => !(await isRunning(this.frozen)));
    this.frozen = 0;
    await this.running?.stop();
    this.running = null;
    await endOwners();
  }
}

/** Whether a process runs; a zombie does not. */
export async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ') Z');
  return !status.includes(') Z');
}
