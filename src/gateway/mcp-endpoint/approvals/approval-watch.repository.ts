import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import { APPROVED } from './approval-phases.repository.js';

/** Reads what processes look for at intervals: decisions that have come, and calls that need a process. */
@Injectable()
export class ApprovalWatchRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Shows that the process of these calls lives. */
  async renew(gateIds: string[]): Promise<void> {
    if (gateIds.length === 0) return;
    await this.database.change(
      `UPDATE tool_approvals SET renewed_at = now() WHERE gate_id = ANY($1::uuid[]) AND phase = 'executing'`,
      [gateIds],
    );
  }

  /** Returns the calls that need a process: to execute them, or because theirs is gone. */
  due(
    limit: number,
    deadAfterSeconds: number,
  ): Promise<{ gateId: string; phase: 'waiting' | 'approved' | 'executing' }[]> {
    return this.database.prepared(
      'approval-phases.due',
      `SELECT gate_id AS "gateId", phase FROM tool_approvals
       WHERE phase IN ('waiting', 'approved', 'executing')
         AND (phase = 'approved' OR (phase = 'waiting' AND wait_until < now())
              OR (phase = 'executing' AND renewed_at < now() - make_interval(secs => $2)))
       LIMIT $1`,
      [limit, deadAfterSeconds],
    );
  }

  /** Returns those of these gates that are still open. */
  async openAmong(gateIds: string[]): Promise<Set<string>> {
    const rows = await this.database.rows<{ id: string }>(
      `SELECT id FROM gates WHERE id = ANY($1::uuid[]) AND state = 'open'`,
      [gateIds],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Returns those of these gates whose call is not over: no decision has come, or it is approved and was not executed. */
  async unfinishedAmong(gateIds: string[]): Promise<Set<string>> {
    const rows = await this.database.rows<{ id: string }>(
      `SELECT g.id FROM gates g
       WHERE g.id = ANY($1::uuid[]) AND (g.state = 'open' OR (${APPROVED} AND g.outcome IS NULL))`,
      [gateIds],
    );
    return new Set(rows.map(({ id }) => id));
  }
}
