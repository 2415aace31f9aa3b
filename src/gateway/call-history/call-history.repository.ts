import { Injectable } from '@nestjs/common';
import type { ArgumentShape } from '../../mcp/installed-servers/tools/argument-shape.js';
import type { CallOutcome } from '../../mcp/installed-servers/tools/call-outcome.js';
import { OUTCOME_OF_ROW } from '../../mcp/installed-servers/tools/tool-calls.repository.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { readKeysetPage } from '../../platform/database/keyset.js';
import type { Page, PageRequest } from '../../platform/http/pages/page.js';
import { conditionsOf, type CallFilter } from './call-filter.js';

/** The record of a tool call, with the present names of what it refers to. */
export interface CallRow {
  id: string;
  at: Date;
  agent: { id: string; name: string } | null;
  user: { id: string; name: string } | null;
  server: { id: string; name: string };
  toolName: string;
  issue: { id: string; key: string; title: string } | null;
  leaseToken: number | null;
  gateId: string | null;
  outcome: CallOutcome;
  reason: string | null;
  durationMs: number;
  argumentShape: ArgumentShape;
  argumentsHash: string | null;
  resultBytes: number | null;
}

const COLUMNS = `
  c.id, c.called_at AS at, c.tool AS "toolName", c.lease_token::float8 AS "leaseToken", c.gate_id AS "gateId",
  ${OUTCOME_OF_ROW} AS outcome, c.reason, c.duration_ms AS "durationMs", c.argument_shape AS "argumentShape",
  c.arguments_hash AS "argumentsHash", c.result_bytes::float8 AS "resultBytes",
  CASE WHEN g.id IS NOT NULL THEN json_build_object('id', g.id, 'name', g.name) END AS agent,
  CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'name', u.name) END AS "user",
  json_build_object('id', c.server_id, 'name', c.server_name) AS server,
  CASE WHEN i.id IS NOT NULL
       THEN json_build_object('id', i.id, 'key', p.key || '-' || i.number, 'title', i.title) END AS issue`;

const CALLS = `
  tool_calls c LEFT JOIN agents g ON g.id = c.agent_id LEFT JOIN users u ON u.id = c.user_id
  LEFT JOIN issues i ON i.id = c.issue_id LEFT JOIN projects p ON p.id = i.project_id`;

/** Reads the records of tool calls. */
@Injectable()
export class CallHistoryRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Lists the matching records, newest first. */
  list(filter: CallFilter, page: PageRequest): Promise<Page<CallRow>> {
    const { where, parameters } = conditionsOf(filter);
    const list = {
      columns: COLUMNS,
      from: CALLS,
      countedFrom: 'tool_calls c',
      where,
      parameters,
      order: [
        { column: 'c.called_at', type: 'timestamptz' },
        { column: 'c.id', type: 'uuid' },
      ],
      descending: true,
      keyOf: (row: CallRow) => [row.at.toISOString(), row.id],
    };
    return readKeysetPage<CallRow>(this.database, list, page);
  }
}
