import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Settings } from '../../platform/config/settings.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { MonthRule } from '../../platform/partitions/kept-months.js';
import { MonthRetentionService } from '../../platform/partitions/month-retention.service.js';
import { TOOL_CALLS } from '../../platform/partitions/partitions.js';
import type { CallEnd, CallOutcome } from './call-outcome.js';
import type { CallContents } from './tool-arguments.js';

export const toolCallsRule = ({
  auditRetentionDays: days,
}: Pick<Settings, 'auditRetentionDays'>): MonthRule => ({
  table: TOOL_CALLS,
  time: 'called_at',
  days,
  needs: [],
});

/** Drops old months of records of tool calls after AUDIT_RETENTION_DAYS (contract §8.9); the journal keeps its entries. */
@Injectable()
export class ToolCallRetentionWorker {
  constructor(months: MonthRetentionService, settings: Settings) {
    months.keep(toolCallsRule(settings));
  }
}

/** The record of one tool call (contract §8.2): the caller, the issue, the tool and the end. */
export interface ToolCallRecord extends CallEnd, CallContents {
  calledAt: Date;
  agentId: string | null;
  userId: string | null;
  issueId: string | null;
  serverId: string;
  serverName: string;
  tool: string;
  /** The lease of the issue for which the call was made. */
  leaseToken: number | null;
  /** The gate that the call waited for. */
  gateId: string | null;
  durationMs: number;
}

/** The outcome of a row of `tool_calls`, as SQL; rows of earlier releases have a result only. It has an index. */
export const OUTCOME_OF_ROW = `coalesce(outcome, CASE result WHEN 'failed' THEN 'unavailable' ELSE result END)`;

const INSERT = `
  INSERT INTO tool_calls (id, called_at, agent_id, user_id, issue_id, server_id, server_name, tool, argument_shape, result,
    duration_ms, outcome, reason, arguments_hash, result_bytes, lease_token, gate_id)
  SELECT id, "calledAt", "agentId", "userId", "issueId", "serverId", "serverName", tool, "argumentShape", result,
    "durationMs", outcome, reason, "argumentsHash", "resultBytes", "leaseToken", "gateId"
  FROM json_to_recordset($1::json) AS call (id uuid, "calledAt" timestamptz, "agentId" uuid, "userId" uuid, "issueId" uuid,
    "serverId" uuid, "serverName" text, tool text, "argumentShape" jsonb, result text, "durationMs" integer, outcome text,
    reason text, "argumentsHash" text, "resultBytes" bigint, "leaseToken" bigint, "gateId" uuid)`;

@Injectable()
export class ToolCallsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Inserts all records in one statement. */
  async insert(records: readonly ToolCallRecord[]): Promise<void> {
    if (records.length === 0) return;
    const rows = records.map((record) => ({
      ...record,
      id: uuidv7(),
      result: resultOf(record.outcome),
      durationMs: Math.round(record.durationMs),
    }));
    await this.database.prepared('tool-calls.insert', INSERT, [JSON.stringify(rows)]);
  }
}

/** The result as the previous release reads it. */
export function resultOf(outcome: CallOutcome): 'ok' | 'tool_error' | 'refused' | 'failed' {
  return outcome === 'ok' || outcome === 'tool_error' || outcome === 'refused' ? outcome : 'failed';
}
