import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { DatabaseService } from '../../../platform/database/database.service.js';
import type { ArgumentShape } from './argument-shape.js';

/** `refused`: not allowed; `failed`: no response; `tool_error`: the tool's own error. */
const callResults = ['ok', 'tool_error', 'refused', 'failed'] as const;
export type CallResult = (typeof callResults)[number];

/** The record of one tool call (contract §8): the caller, the issue, the tool and the result. */
export interface ToolCallRecord {
  calledAt: Date;
  agentId: string | null;
  userId: string | null;
  issueId: string | null;
  serverId: string;
  serverName: string;
  tool: string;
  argumentShape: ArgumentShape;
  result: CallResult;
  durationMs: number;
}

const INSERT = `
  INSERT INTO tool_calls (id, called_at, agent_id, user_id, issue_id, server_id, server_name, tool, argument_shape, result, duration_ms)
  SELECT id, "calledAt", "agentId", "userId", "issueId", "serverId", "serverName", tool, "argumentShape", result, "durationMs"
  FROM json_to_recordset($1::json) AS call (id uuid, "calledAt" timestamptz, "agentId" uuid, "userId" uuid, "issueId" uuid,
    "serverId" uuid, "serverName" text, tool text, "argumentShape" jsonb, result text, "durationMs" integer)`;

@Injectable()
export class ToolCallsRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Inserts all records in one statement. */
  async insert(records: readonly ToolCallRecord[]): Promise<void> {
    if (records.length === 0) return;
    const rows = records.map((record) => ({
      ...record,
      id: uuidv7(),
      durationMs: Math.round(record.durationMs),
    }));
    await this.database.prepared('tool-calls.insert', INSERT, [JSON.stringify(rows)]);
  }

  /** Deletes records older than `days`, at most 5,000 per call. */
  prune(days: number): Promise<number> {
    return this.database.change(
      `DELETE FROM tool_calls WHERE id = ANY(ARRAY(
         SELECT id FROM tool_calls WHERE called_at < now() - make_interval(days => $1::int) LIMIT 5000))`,
      [days],
    );
  }
}
