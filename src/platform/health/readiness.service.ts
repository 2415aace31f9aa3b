import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../database/database.service.js';
import { Encryption } from '../encryption/encryption.service.js';
import { stateOf } from './database-problem.js';
import type { ReadyResponse } from './ready.response.js';
import { WriteChecksService } from './write-checks.service.js';

/** A check of a layer above: its name and its result; `ok: false` makes the service not ready. */
export type Check = () => { name: string; says: string; ok: boolean };

/** Reports whether the service can work. */
@Injectable()
export class ReadinessService {
  private readonly further: Check[] = [];
  private stopping = false;

  constructor(
    private readonly database: DatabaseService,
    private readonly encryption: Encryption,
    private readonly writes: WriteChecksService,
  ) {}

  /** Adds a check of a layer above. */
  add(check: Check): void {
    this.further.push(check);
  }

  /** Makes the service report from now on that it is shutting down. */
  stop(): void {
    this.stopping = true;
  }

  async report(): Promise<ReadyResponse> {
    const checks = [
      await this.databaseCheck(),
      { name: 'keyRing', says: this.encryption.unlocked ? 'ok' : 'locked', ok: this.encryption.unlocked },
      ...(await this.folderCheck()),
      ...(this.stopping ? [{ name: 'shutdown', says: 'in progress', ok: false }] : []),
      ...this.further.map((check) => check()),
    ];
    return {
      status: checks.every(({ ok }) => ok) ? 'ok' : 'unavailable',
      checks: Object.fromEntries(checks.map(({ name, says }) => [name, says])),
    };
  }

  private async databaseCheck(): Promise<ReturnType<Check>> {
    try {
      const pending = await this.database.dataSource.showMigrations();
      const reason = pending ? 'migrations are missing' : await this.writes.databaseReason();
      return { name: 'database', says: reason ?? 'ok', ok: reason === null };
    } catch (error) {
      // The whole error is in the log of the request that met it; here only the state counts.
      return { name: 'database', says: stateOf(error), ok: false };
    }
  }

  private async folderCheck(): Promise<ReturnType<Check>[]> {
    return (await this.writes.isFolderFull()) ? [{ name: 'dataFolder', says: 'full', ok: false }] : [];
  }
}
