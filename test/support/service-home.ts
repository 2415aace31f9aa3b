import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { canariesWereStored } from './canary.js';
import { lookForCanaryInDatabase, lookForCanaryInFolder } from './canary-on-disk.js';
import { createDatabase, type TestDatabase } from './postgres.mjs';

/** The database and the data folder of one service under test. */
export class ServiceHome {
  /** Empty before `create`. */
  dataDir = '';
  databaseUrl = '';
  private own: TestDatabase | null = null;
  private client: Promise<Client> | null = null;

  /** @param shared a database that the caller drops; null for one of its own */
  async create(shared: { url: string } | null): Promise<void> {
    this.dataDir = await mkdtemp(join(tmpdir(), 'awp-service-'));
    if (!shared) this.own = await createDatabase();
    this.databaseUrl = (shared ?? this.own!).url;
  }

  async sql<Row>(text: string, parameters: unknown[]): Promise<Row[]> {
    this.client ??= connect(this.databaseUrl);
    return (await (await this.client).query(text, parameters)).rows as Row[];
  }

  /** Searches the database and the data folder for secrets, and removes both. */
  async remove(): Promise<void> {
    await (await this.client)?.end();
    if (canariesWereStored()) await this.lookForCanaries();
    await this.own?.drop();
    if (this.dataDir) await rm(this.dataDir, { recursive: true, force: true });
  }

  private async lookForCanaries(): Promise<void> {
    if (this.own) await lookForCanaryInDatabase(this.own.url, this.own.begun);
    if (this.dataDir) lookForCanaryInFolder(this.dataDir);
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
