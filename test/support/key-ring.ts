import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import {
  keyChecksIn,
  type KeyCheckStore,
} from '../../src/platform/encryption/key-proof-rotation-and-first-ring.js';
import { loadKeyRing } from '../../src/platform/encryption/key-ring-sources.js';
import type { KeyRing } from '../../src/platform/encryption/key-ring.js';
import { commandNamed, type Ended, runAlone, runHosted } from './commands.js';
import { createDatabase } from './postgres.mjs';

export interface StoredValue {
  serverId: string;
  name: string;
  sealed: string;
}

/** A database and a data folder for one test, as a service with sealed credentials leaves them. */
export class SealedPlace {
  readonly file: string;
  readonly store: KeyCheckStore;

  private constructor(
    readonly folder: string,
    readonly url: string,
    readonly client: Client,
    private readonly drop: () => Promise<unknown>,
  ) {
    this.file = join(folder, 'keyring.json');
    this.store = keyChecksIn(
      async <Row>(sql: string, parameters?: unknown[]) => (await client.query(sql, parameters)).rows as Row[],
      async () => (await this.values()).length > 0,
    );
  }

  static async make(): Promise<SealedPlace> {
    const { url, drop } = await createDatabase();
    const client = new Client({ connectionString: url });
    await client.connect();
    // Only the sealed values matter here, not the servers that they belong to.
    await client.query('ALTER TABLE server_credentials DROP CONSTRAINT server_credentials_server_fk');
    return new SealedPlace(await mkdtemp(join(tmpdir(), 'awp-keys-')), url, client, drop);
  }

  async remove(): Promise<void> {
    await this.client.end();
    await this.drop();
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Returns the key ring in the file of the folder. */
  ring(): KeyRing {
    const ring = loadKeyRing({ file: this.file, keys: null });
    if (!ring) throw new Error('There is no key ring.');
    return ring;
  }

  async values(): Promise<StoredValue[]> {
    const sql =
      'SELECT server_id AS "serverId", name, sealed FROM server_credentials ORDER BY server_id, name';
    return (await this.client.query<StoredValue>(sql)).rows;
  }

  /** Seals `count` values of an installed server: `NAME_0`, `NAME_1`, … */
  async seal(ring: KeyRing, count: number): Promise<void> {
    const serverId = randomUUID();
    const names = Array.from({ length: count }, (_, index) => `NAME_${index}`);
    const sealed = names.map((name) => ring.seal(plainOf(name), contextOf({ serverId, name })));
    await this.client.query(
      'INSERT INTO server_credentials (server_id, name, sealed) SELECT $1, * FROM unnest($2::text[], $3::text[])',
      [serverId, names, sealed],
    );
  }

  /** Returns the ids of the keys that sealed the stored values. */
  async keyIdsInUse(): Promise<string[]> {
    return [...new Set((await this.values()).map(({ sealed }) => sealed.split('.')[1] ?? 'none'))];
  }

  /** Returns the values that `ring` does not decrypt to the original. */
  async broken(ring: KeyRing): Promise<StoredValue[]> {
    return (await this.values()).filter((value) => {
      try {
        return ring.open(value.sealed, contextOf(value)) !== plainOf(value.name);
      } catch {
        return true;
      }
    });
  }

  /** Runs `npm run keys -- <options>` on this database and folder, and waits for its end. */
  keys(options: string[], environment: Record<string, string> = {}): Promise<Ended> {
    return runHosted(KEYS, options, { ...this.environment, ...environment });
  }

  /** Does the same in a process of its own. */
  keysAlone(options: string[], environment: Record<string, string> = {}): Promise<Ended> {
    return runAlone(KEYS, options, { ...this.environment, ...environment });
  }

  get environment(): Record<string, string> {
    return { DATABASE_URL: this.url, DATA_DIR: this.folder };
  }
}

export const KEYS = commandNamed('keys');

export function contextOf({ serverId, name }: { serverId: string; name: string }): string {
  return `mcp_env|${serverId}|${name}`;
}

export function plainOf(name: string): string {
  return `the value of ${name}`;
}
