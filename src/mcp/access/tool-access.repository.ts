import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Database } from '../../platform/database/database.js';
import type { Sharing } from '../installed-servers/running/scope.js';
import type { ToolDefinition } from '../installed-servers/tools/tool-definition.js';
import { FOUND_CALL, SERVER, type FoundCall } from './call-verdict.js';
import {
  AGENT_AND_SERVERS,
  SERVER_REFUSAL,
  THE_AGENT,
  TOOL_REFUSAL,
  type RefusalReason,
} from './tool-verdict.js';

/** A server that an agent can use, with the tools that it is given. */
export interface AllowedServer {
  serverId: string;
  serverName: string;
  slug: string;
  sharing: Sharing;
  /** False until its tools were listed once: see `FirstListings.ensure`. */
  toolsListed: boolean;
  /** What the catalogue says of it, for instructions. */
  description: string;
  /** By name. */
  tools: ToolDefinition[];
}

/** One tool of one server as an agent has it or not. */
export interface AgentToolRow {
  name: string;
  serverId: string;
  serverName: string;
  slug: string;
  reason: RefusalReason | null;
}

@Injectable()
export class ToolAccessRepository {
  constructor(private readonly database: Database) {}

  allowedServers(agentId: string): Promise<AllowedServer[]> {
    return this.database.prepared<AllowedServer>('tool-access.allowed', ALLOWED_SERVERS, [agentId]);
  }

  async findCall(agentId: string, server: string, toolName: string): Promise<FoundCall | null> {
    const reference = isUuid(server)
      ? { name: 'tool-access.call-by-id', sql: CALL_BY_ID }
      : { name: 'tool-access.call-by-slug', sql: CALL_BY_SLUG };
    const [found] = await this.database.prepared<FoundCall>(reference.name, reference.sql, [
      agentId,
      server,
      toolName,
    ]);
    return found ?? null;
  }

  explain(agentId: string): Promise<AgentToolRow[]> {
    return this.database.rows<AgentToolRow>(
      `SELECT t.name, s.id AS "serverId", s.name AS "serverName", s.slug, coalesce(${SERVER_REFUSAL}, ${TOOL_REFUSAL}) AS reason
       FROM ${AGENT_AND_SERVERS} JOIN server_tools t ON t.server_id = s.id
       WHERE ${THE_AGENT} ORDER BY s.slug COLLATE "C", t.name`,
      [agentId],
    );
  }
}

const ALLOWED_SERVERS = `
  SELECT ${SERVER}, s.tools_listed_at IS NOT NULL AS "toolsListed", s.entry ->> 'description' AS description,
    coalesce((SELECT json_agg(t.definition ORDER BY t.name) FROM server_tools t
              WHERE t.server_id = s.id AND ${TOOL_REFUSAL} IS NULL), '[]') AS tools
  FROM ${AGENT_AND_SERVERS}
  WHERE ${THE_AGENT} AND ${SERVER_REFUSAL} IS NULL ORDER BY s.slug COLLATE "C"`;

const callBy = (column: string): string => `
  SELECT ${FOUND_CALL}
  FROM ${AGENT_AND_SERVERS} LEFT JOIN server_tools t ON t.server_id = s.id AND t.name = $3
  WHERE ${THE_AGENT} AND s.${column} = $2`;

const CALL_BY_ID = callBy('id');
const CALL_BY_SLUG = callBy('slug');
