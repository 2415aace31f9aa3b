import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { DatabaseFull, databaseProblem, isRejection } from './database-problem.js';
import { FolderSpace } from './folder-space.js';

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
    if (Date.now() < this.credentialsUntil) return false;
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
    this.credentialsUntil = Date.now() + CREDENTIALS_MS;
    return false;
  }
}
