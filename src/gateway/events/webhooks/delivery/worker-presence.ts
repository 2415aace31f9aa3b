import type { Client } from 'pg';
import type { Database } from '../../../../platform/database/database.js';

const SWEEP_MS = 5_000;

/**
 * Tells the other processes that a pool of workers lives, by a connection that bears its name and dies with the
 * process; and frees the jobs of pools that don't: graphile-worker by itself waits four hours.
 */
export class WorkerPresence {
  private client: Client | null = null;
  private suspects = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private ended = false;

  constructor(
    private readonly database: Database,
    private readonly poolId: string,
  ) {}

  begin(): void {
    void this.turn();
  }

  async end(): Promise<void> {
    this.ended = true;
    if (this.timer) clearTimeout(this.timer);
    await this.client?.end().catch(() => undefined);
  }

  private async turn(): Promise<void> {
    try {
      this.client ??= await this.connect();
      await this.free(await this.absent());
    } catch {
      await this.client?.end().catch(() => undefined);
      this.client = null;
    }
    if (this.ended) return;
    this.timer = setTimeout(() => void this.turn(), this.client ? SWEEP_MS : 500);
    this.timer.unref();
  }

  private async connect(): Promise<Client> {
    const client = this.database.separateClient({ application_name: this.poolId, query_timeout: 4_000 });
    client.on('error', () => (this.client = null));
    await client.connect();
    return client;
  }

  private async absent(): Promise<string[]> {
    const { rows } = await this.client!.query<{ pool: string }>(ABSENT);
    return rows.map(({ pool }) => pool);
  }

  /** Seen twice: a pool whose connection breaks makes it anew in less time. */
  private async free(absent: string[]): Promise<void> {
    const dead = absent.filter((pool) => this.suspects.has(pool));
    this.suspects = new Set(absent);
    if (dead.length > 0) await this.client!.query('SELECT graphile_worker.force_unlock_workers($1)', [dead]);
  }
}

const ABSENT = `
  SELECT DISTINCT locked_by AS pool FROM graphile_worker.jobs
  WHERE locked_by IS NOT NULL AND locked_by NOT IN (
    SELECT application_name FROM pg_stat_activity WHERE datname = current_database())`;
