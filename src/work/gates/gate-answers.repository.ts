import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { GateState } from '../issue-status/gate-state.js';
import type { GateAnswer } from './gate.repository.js';

/** A gate that is over, as a worker receives it. */
export interface CarriedAnswer {
  gateId: string;
  kind: 'question' | 'approval';
  state: Exclude<GateState, 'open'>;
  request: Record<string, unknown>;
  answer: GateAnswer | null;
  outcome: string | null;
  result: unknown;
}

/** A gate of an issue that is over. */
export interface IssueAnswer extends CarriedAnswer {
  issueId: string;
}

const COLUMNS = `id AS "gateId", kind, state, request, answer, outcome, result`;

/** What has an end that no worker has received; a call that was approved has none before it was executed. */
const UNDELIVERED = `state <> 'open' AND delivered_at IS NULL AND NOT holds AND kind IN ('question', 'approval')
  AND (outcome IS NOT NULL OR answer ->> 'decision' IS DISTINCT FROM 'approve')`;

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
         SELECT issue_id AS "issueId", ${COLUMNS} FROM gates WHERE issue_id = asked.id AND ${UNDELIVERED}
         ORDER BY closed_at, id LIMIT ${ANSWERS_PER_ISSUE}) AS gate`,
      [issueIds],
    );
  }

  /** Returns the answers on gates of the agent that have no issue, oldest first. */
  undeliveredOf(agentId: string): Promise<CarriedAnswer[]> {
    return this.database.rows<CarriedAnswer>(
      `SELECT ${COLUMNS} FROM gates WHERE agent_id = $1 AND issue_id IS NULL AND ${UNDELIVERED}
       ORDER BY closed_at, id LIMIT ${ANSWERS_PER_ISSUE}`,
      [agentId],
    );
  }

  async markDelivered(gateIds: string[]): Promise<void> {
    if (gateIds.length === 0) return;
    await this.database.change('UPDATE gates SET delivered_at = now() WHERE id = ANY($1::uuid[])', [gateIds]);
  }
}
