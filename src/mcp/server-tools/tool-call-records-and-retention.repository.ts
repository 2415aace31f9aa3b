import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Settings } from '../../platform/config/settings.js';
import { prepared } from '../../platform/database/service.client.js';
import { MonthRetentionService, type MonthRule } from '../../platform/partitions/month-retention.service.js';
import { TOOL_CALLS } from '../../platform/partitions/partitions.js';
import { type CallContents, type CallEnd, resultOf } from './call-arguments-outcomes-reasons.js';
import { ToolCall } from './tool.entities.js';

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
export type ToolCallRecord = Omit<ToolCall, 'id' | 'result' | keyof CallEnd | keyof CallContents> &
  CallEnd &
  CallContents;

/** The outcome of a row of `tool_calls`, as SQL; rows of earlier releases have a result only. It has an index. */
export const OUTCOME_OF_ROW = `coalesce(outcome, CASE result WHEN 'failed' THEN 'unavailable' ELSE result END)`;

const ADD = prepared(
  'tool-calls.insert',
  `
  INSERT INTO tool_calls (id, called_at, agent_id, user_id, issue_id, server_id, server_name, tool, argument_shape, result,
    duration_ms, outcome, reason, arguments_hash, result_bytes, lease_token, gate_id)
  SELECT id, "calledAt", "agentId", "userId", "issueId", "serverId", "serverName", tool, "argumentShape", result,
    "durationMs", outcome, reason, "argumentsHash", "resultBytes", "leaseToken", "gateId"
  FROM json_to_recordset($1::json) AS call (id uuid, "calledAt" timestamptz, "agentId" uuid, "userId" uuid, "issueId" uuid,
    "serverId" uuid, "serverName" text, tool text, "argumentShape" jsonb, result text, "durationMs" integer, outcome text,
    reason text, "argumentsHash" text, "resultBytes" bigint, "leaseToken" bigint, "gateId" uuid)`,
);

/** Beside what TypeORM gives, the statement about calls that stays SQL (decision 0053). */
@Injectable()
export class ToolCallRepository extends Repository<ToolCall> {
  constructor(@InjectDataSource() source: DataSource) {
    super(ToolCall, source.manager);
  }

  /** SQL: many rows at once, of all calls. */
  async add(records: readonly ToolCallRecord[]): Promise<void> {
    if (records.length === 0) return;
    const rows = records.map((record) => ({
      ...record,
      id: uuidv7(),
      result: resultOf(record.outcome),
      durationMs: Math.round(record.durationMs),
    }));
    await this.query(ADD, [JSON.stringify(rows)]);
  }
}
