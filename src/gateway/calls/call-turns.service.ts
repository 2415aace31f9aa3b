import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import {
  type ToolCallRecord,
  ToolCallRepository,
} from '../../mcp/server-tools/tool-call-records-and-retention.repository.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import {
  type UsageEntry,
  UsageTotalRepository,
} from '../../work/usage/usage-sums-batches-and-retention.worker.js';
import { UsageTotal } from '../../work/usage/usage.entities.js';

/** The record of a call by an agent. */
export interface AgentCallRecord extends ToolCallRecord {
  agentId: string;
  agentName: string;
  /** The turn of the agent on the issue. */
  turn: number;
  /** Whether the usage has it already. */
  isCounted: boolean;
}

/** The names of tools that the summary of a turn lists. */
const MOST_TOOLS = 20;

/** A turn whose first calls were just recorded. */
export interface BegunTurn {
  issueId: string;
  projectId: string;
  leaseToken: number;
  turn: number;
  agentId: string;
  agentName: string;
}

/** Calls of a deleted issue have no turn, since its timeline is gone. The order of the rows is that of the locks. */
const ADD = `
  WITH called AS (
    SELECT "issueId", "leaseToken", turn, min("agentId"::text)::uuid AS "agentId", min("agentName") AS "agentName",
           count(*)::int AS calls, (count(*) FILTER (WHERE outcome <> 'ok'))::int AS failed,
           array_agg(DISTINCT "serverName" || ' ' || tool) AS tools, min("calledAt") AS "firstAt", max("calledAt") AS "lastAt"
    FROM json_to_recordset($1::json) AS call ("issueId" uuid, "leaseToken" bigint, turn integer, "agentId" uuid,
      "agentName" text, outcome text, "serverName" text, tool text, "calledAt" timestamptz)
    GROUP BY 1, 2, 3),
  added AS (
    INSERT INTO issue_call_turns AS t (issue_id, lease_token, turn, calls, failed, tools, first_at, last_at)
    SELECT "issueId", "leaseToken", turn, calls, failed, tools[1:${MOST_TOOLS}], "firstAt", "lastAt"
    FROM called JOIN issues i ON i.id = called."issueId" ORDER BY 1, 2, 3
    ON CONFLICT (issue_id, lease_token, turn) DO UPDATE
    SET calls = t.calls + excluded.calls, failed = t.failed + excluded.failed,
        tools = ARRAY(SELECT DISTINCT unnest(t.tools || excluded.tools) LIMIT ${MOST_TOOLS}),
        first_at = least(t.first_at, excluded.first_at), last_at = greatest(t.last_at, excluded.last_at)
    RETURNING issue_id, lease_token, turn, xmax = 0 AS is_new)
  SELECT i.id AS "issueId", i.project_id AS "projectId", called."leaseToken"::int, called.turn, called."agentId", called."agentName"
  FROM added JOIN called ON called."issueId" = added.issue_id AND called."leaseToken" = added.lease_token
    AND called.turn = added.turn
  JOIN issues i ON i.id = added.issue_id WHERE added.is_new`;

/** Summarises the tool calls of each turn on an issue. */
@Injectable()
export class CallTurnsRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** Adds the calls to their turns. Returns the turns that had none before. */
  add(records: AgentCallRecord[]): Promise<BegunTurn[]> {
    return this.source.query<BegunTurn[]>(ADD, [JSON.stringify(records)]);
  }
}

/**
 * Writes records of tool calls, and with them the summary of each turn (contract §8.2). The first calls of a turn put one
 * entry into the journal, which the timeline of the issue shows with the summary as it is then.
 */
@Injectable()
export class CallTurnsService {
  constructor(
    private readonly calls: ToolCallRepository,
    private readonly turns: CallTurnsRepository,
    @InjectRepository(UsageTotal) private readonly usage: UsageTotalRepository,
    private readonly journal: JournalService,
    private readonly transactions: TransactionsService,
  ) {}

  async write(records: AgentCallRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.transactions.run(async () => {
      await this.calls.add(records);
      const forIssues = records.filter(({ leaseToken }) => leaseToken !== null);
      if (forIssues.length > 0) await this.summarise(forIssues);
      await this.usage.add(countedOf(records));
    });
  }

  private async summarise(records: AgentCallRecord[]): Promise<void> {
    const begun = await this.turns.add(records);
    await this.journal.record(
      ...begun.map(({ issueId, projectId, leaseToken, turn, agentId, agentName }) => ({
        type: 'issue.tools_called' as const,
        subject: { type: 'issue', id: issueId },
        projectId,
        issueId,
        data: { leaseToken, turn },
        actor: { type: 'agent' as const, id: agentId, name: agentName },
      })),
    );
  }
}

/** A refused call was not made. */
function countedOf(records: AgentCallRecord[]): UsageEntry[] {
  return records
    .filter(({ outcome, isCounted }) => outcome !== 'refused' && !isCounted)
    .map(({ agentId, issueId }) => ({ agentId, issueId, toolCalls: 1 }));
}
