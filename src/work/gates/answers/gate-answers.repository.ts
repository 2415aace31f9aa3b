import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { GateState } from '../../issues/gates/gate-state.js';
import type { GateAnswer } from '../gate-row.js';

/** A gate that is over, as the worker of its issue receives it. */
export interface IssueAnswer {
  gateId: string;
  issueId: string;
  kind: 'question' | 'approval';
  state: Exclude<GateState, 'open'>;
  request: Record<string, unknown>;
  answer: GateAnswer | null;
  outcome: string | null;
  result: unknown;
}

/** The most answers per issue in one response; the rest follow once those were received. */
const ANSWERS_PER_ISSUE = 100;

/** What workers have not received yet of the gates of their issues (contract §7.1). */
@Injectable()
export class GateAnswersRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the answers on these issues that no worker has received for sure, oldest first. */
  async undelivered(issueIds: string[]): Promise<IssueAnswer[]> {
    if (issueIds.length === 0) return [];
    return this.database.prepared<IssueAnswer>(
      'gates.undelivered',
      `SELECT gate.* FROM unnest($1::uuid[]) AS asked(id) CROSS JOIN LATERAL (
         SELECT id AS "gateId", issue_id AS "issueId", kind, state, request, answer, outcome, result
         FROM gates WHERE issue_id = asked.id AND state <> 'open' AND delivered_at IS NULL AND NOT holds
           AND kind IN ('question', 'approval')
         ORDER BY closed_at, id LIMIT ${ANSWERS_PER_ISSUE}) AS gate`,
      [issueIds],
    );
  }

  async markDelivered(gateIds: string[]): Promise<void> {
    if (gateIds.length === 0) return;
    await this.database.change('UPDATE gates SET delivered_at = now() WHERE id = ANY($1::uuid[])', [gateIds]);
  }
}
