import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { Encryption } from '../encryption/encryption.service.js';
import type { ReadyResponse } from './dto/ready.response.js';

/** A check of a floor above: its name and what it says; `ok: false` makes the service not ready. */
export type Check = () => { name: string; says: string; ok: boolean };

/** Answers whether the service can do its work. */
@Injectable()
export class Readiness {
  private readonly further: Check[] = [];
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly encryption: Encryption,
  ) {}

  /** A floor above adds what only it can tell. */
  add(check: Check): void {
    this.further.push(check);
  }

  /** From here on the service tells that it is going away. */
  stop(): void {
    this.stopping = true;
  }

  async report(): Promise<ReadyResponse> {
    const checks = [
      await this.databaseCheck(),
      { name: 'keyRing', says: this.encryption.unlocked ? 'ok' : 'locked', ok: this.encryption.unlocked },
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
      return { name: 'database', says: pending ? 'migrations are missing' : 'ok', ok: !pending };
    } catch {
      return { name: 'database', says: 'unreachable', ok: false };
    }
  }
}
