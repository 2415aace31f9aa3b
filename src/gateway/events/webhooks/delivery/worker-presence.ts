import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import type { DatabaseService } from '../../../../platform/database/database.service.js';
import { RepeatedFailure } from '../../../../platform/failures/repeated-failure.js';

const SWEEP_MS = 5_000;

/**
 * Shows the other processes that a pool of workers is alive, by a connection that has its name and ends with the
 * process. It also releases the jobs of pools that are gone; graphile-worker alone waits four hours.
 */
export class WorkerPresence {
  private readonly failure = new RepeatedFailure(
    new Logger(WorkerPresence.name),
    'Jobs of ended processes could not be released; trying again',
  );
  private client: Client | null = null;
  private suspects = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private ended = false;

  constructor(
    private readonly database: DatabaseService,
    private readonly poolId: string,
  ) {}

  begin(): void {
    void this.sweep();
  }

  async end(): Promise<void> {
    this.ended = true;
    if (this.timer) clearTimeout(this.timer);
    await this.disconnect();
  }

  private async sweep(): Promise<void> {
    try {
      this.client ??= await this.connect();
      await this.release(await this.absent());
      this.failure.succeeded();
    } catch (error) {
      if (!this.ended) this.failure.failed(error);
      await this.disconnect();
    }
    if (this.ended) return;
    this.timer = setTimeout(() => void this.sweep(), this.client ? SWEEP_MS : 500);
    this.timer.unref();
  }

  private async connect(): Promise<Client> {
    const client = this.database.separateClient({ application_name: this.poolId, query_timeout: 4_000 });
    // The next sweep connects again and logs an error if it cannot.
    client.on('error', () => (this.client = null));
    await client.connect();
    return client;
  }

  private async disconnect(): Promise<void> {
    // The connection is not used any more: it does not matter how it ends.
    await this.client?.end().catch(() => undefined);
    this.client = null;
  }

  private async absent(): Promise<string[]> {
    const { rows } = await this.client!.query<{ pool: string }>(ABSENT);
    return rows.map(({ pool }) => pool);
  }

  /** Only pools that were absent in two sweeps: one whose connection breaks connects again within one. */
  private async release(absent: string[]): Promise<void> {
    const dead = absent.filter((pool) => this.suspects.has(pool));
    this.suspects = new Set(absent);
    if (dead.length > 0) await this.client!.query('SELECT graphile_worker.force_unlock_workers($1)', [dead]);
  }
}

const ABSENT = `
  SELECT DISTINCT locked_by AS pool FROM graphile_worker.jobs
  WHERE locked_by IS NOT NULL AND locked_by NOT IN (
    SELECT application_name FROM pg_stat_activity WHERE datname = current_database())`;
