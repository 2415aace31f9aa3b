import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { isDatabaseFull, isDiskFull } from '../database/postgres-errors.js';
import { DatabaseFull, databaseProblem, isRejection } from './database-outage-answers.js';

/** Below this nothing of use can be written, and PostgreSQL cannot extend a file. */
const LEAST_FREE_BYTES = 1_048_576;

/**
 * Knows whether the data folder takes what is written (contract §8.1). The file system says how much is free, but of a
 * quota it says nothing. So once a write was refused for lack of space, a probe writes a MiB and removes it, until that
 * succeeds.
 */
export class FolderSpace {
  private wasFull = false;

  /** @param write writes a file of this size that is on the disk when it resolves */
  constructor(
    private readonly folder: string,
    private readonly write: (path: string, bytes: number) => Promise<void> = writeZeros,
  ) {}

  /** Takes note of an error that a write met. */
  note(error: unknown): void {
    if (isDiskFull(error)) this.wasFull = true;
  }

  /** Whether less than 1 MiB fits into the folder. */
  async isFull(): Promise<boolean> {
    if ((await this.freeBytes()) < LEAST_FREE_BYTES) return true;
    if (this.wasFull) this.wasFull = await this.refusesTrial();
    return this.wasFull;
  }

  private async freeBytes(): Promise<number> {
    const { bavail, bfree, bsize, blocks } = await statfs(this.folder);
    // Some network file systems report no sizes at all.
    if (blocks === 0) return Infinity;
    // Root may use what is reserved for it.
    return (process.geteuid?.() === 0 ? bfree : bavail) * bsize;
  }

  private async refusesTrial(): Promise<boolean> {
    const path = join(this.folder, `.space-trial.${process.pid}`);
    try {
      await this.write(path, LEAST_FREE_BYTES);
      return false;
    } catch (error) {
      // Another error says nothing of space: the next write of a request does.
      return isDiskFull(error);
    } finally {
      await rm(path, { force: true });
    }
  }
}

/** A network file system may refuse the bytes only when the file is synced. */
async function writeZeros(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(Buffer.alloc(bytes));
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A connection of the pool lives on when the password changes, so a new one is opened this often while probes come. */
const CREDENTIALS_MS = 10_000;

const STATE = `
  SELECT pg_is_in_recovery() AS "isStandby", current_setting('transaction_read_only') = 'on' AS "isReadOnly"`;

/** Needs new space on the disk and leaves nothing behind: the statements of one query are one transaction. */
const TRIAL = `
  CREATE TEMPORARY TABLE awp_space_trial (text text) ON COMMIT DROP;
  INSERT INTO awp_space_trial SELECT md5(random()::text) FROM generate_series(1, 2000)`;

/**
 * Finds out why writes cannot succeed (contract §8.1). A probe reads what the database and the disk say of themselves;
 * it writes only after a write was refused for lack of space, until one succeeds.
 */
@Injectable()
export class WriteChecksService {
  private wasFull = false;
  private credentialsUntil = 0;
  private readonly folder: FolderSpace;

  constructor(
    private readonly database: DatabaseService,
    settings: Settings,
  ) {
    this.folder = new FolderSpace(settings.dataDir);
  }

  /** Takes note of an error that a request met, of the database or of the file system. */
  note(error: unknown): void {
    if (databaseProblem(error) instanceof DatabaseFull) this.wasFull = true;
    this.folder.note(error);
  }

  /** Returns why the database takes no writes; null when it takes them. Throws when it cannot be asked. */
  async databaseReason(): Promise<string | null> {
    const [state] =
      await this.database.dataSource.query<{ isStandby: boolean; isReadOnly: boolean }[]>(STATE);
    if (state?.isStandby) return 'standby';
    if (state?.isReadOnly) return 'read-only';
    if (this.database.unconfirmedWrites > 0) return 'unconfirmed';
    if (await this.isDatabaseFull()) return 'full';
    return (await this.areCredentialsRejected()) ? 'credentials rejected' : null;
  }

  /** Whether the disk of the data folder, and of the embedded database in it, is full, or a quota is used up. */
  isFolderFull(): Promise<boolean> {
    return this.folder.isFull();
  }

  private async isDatabaseFull(): Promise<boolean> {
    if (!this.wasFull) return false;
    try {
      await this.database.pool.query(TRIAL);
    } catch (error) {
      if (databaseProblem(error) instanceof DatabaseFull) return true;
      // A role that may make no temporary tables: the next write of a request says whether there is space.
      if (databaseProblem(error)) throw error;
    }
    this.wasFull = false;
    return false;
  }

  private async areCredentialsRejected(): Promise<boolean> {
    if (performance.now() < this.credentialsUntil) return false;
    const client = this.database.separateClient();
    try {
      await client.connect();
    } catch (error) {
      if (isRejection(error)) return true;
      // Other reasons, such as too many connections, do not concern the connections that are open.
    } finally {
      // The connection has served its purpose, however it ends.
      void client.end().catch(() => undefined);
    }
    this.credentialsUntil = performance.now() + CREDENTIALS_MS;
    return false;
  }
}

/** Returns the word of `/readyz` for a database that cannot be asked (contract §8.1). */
export function stateOf(error: unknown): 'full' | 'credentials rejected' | 'unreachable' {
  if (isDatabaseFull(error)) return 'full';
  return isRejection(error) ? 'credentials rejected' : 'unreachable';
}
