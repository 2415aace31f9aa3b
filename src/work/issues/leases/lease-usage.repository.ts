import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { MARK_TURNS_REPORTED, TAKE_WALL_TIME } from './lease-wall-time.js';

/** What leases know of the usage of their agents. */
@Injectable()
export class LeaseUsageRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Takes the time of leases that is not yet in the sums; the caller adds it to them in the same transaction. */
  takeWallTime(): Promise<{ agentId: string; issueId: string; wallMs: number }[]> {
    return this.database.prepared('leases.take-wall-time', TAKE_WALL_TIME, []);
  }

  /** @returns the issues whose latest turn had no report before */
  async markTurnsReported(agentId: string, issueIds: string[]): Promise<string[]> {
    const rows = await this.database.rows<{ issueId: string }>(MARK_TURNS_REPORTED, [agentId, issueIds]);
    return rows.map(({ issueId }) => issueId);
  }
}
