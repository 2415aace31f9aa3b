import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { UsedServer } from '../processes/server-description.js';
import type { ToolDefinition } from '../server-records/tool-definition.js';
import { WRITTEN } from '../server-tools/server-tool.repository.js';
import {
  type AccessSource,
  AGENT_AND_SERVERS,
  ASKS_APPROVAL,
  foundCall,
  type FoundCall,
  NARROWED,
  type RefusalReason,
  SERVER_COLUMNS,
  SERVER_REFUSAL,
  THE_AGENT,
  TOOL_REFUSAL,
} from './call-verdict.js';

/** A server that an agent may use, with a digest in place of the tools that it may call. */
export interface OfferedServer extends UsedServer {
  agentId: string;
  serverName: string;
  slug: string;
  /** Whether the access is narrowed to tools: the agent then has no prompts and resources of the server. */
  narrowed: boolean;
  /** Digest of the tools that the agent may call, and of which of them ask for an approval; null without tools. */
  tools: string | null;
}

/**
 * The tools are digested once for each kind of access to a server, not for each agent: hundreds of agents have few kinds.
 * The hash of a tool covers everything that agents see of it, so its definition need not be read. Of 500 agents with 50
 * servers each it takes 0.8 s on two busy processors, where a digest for each agent and server takes 1.4 s.
 */
const OFFERED = `
  WITH usable AS MATERIALIZED (
    SELECT g.id AS "agentId", ${SERVER_COLUMNS}, ${NARROWED} AS narrowed, a.tools, a.ask_writes, a.ask_tools
    FROM ${AGENT_AND_SERVERS}
    WHERE g.id = ANY($1::uuid[]) AND g.retired_at IS NULL AND ${SERVER_REFUSAL} IS NULL),
  kinds AS MATERIALIZED (
    SELECT a.*, (
      SELECT md5(string_agg(t.name || ' ' || t.hash || CASE WHEN ${ASKS_APPROVAL} THEN ' asks' ELSE '' END, ',' ORDER BY t.name))
      FROM server_tools t WHERE t.server_id = a."serverId" AND ${TOOL_REFUSAL} IS NULL) AS digest
    FROM (SELECT DISTINCT "serverId", tools, ask_writes, ask_tools FROM usable) a)
  SELECT "agentId", u."serverId", "serverName", slug, sharing, "credentialSetId", "credentialSetName", narrowed, k.digest AS tools
  FROM usable u JOIN kinds k ON k."serverId" = u."serverId" AND k.ask_writes = u.ask_writes
    AND k.tools IS NOT DISTINCT FROM u.tools AND k.ask_tools IS NOT DISTINCT FROM u.ask_tools
  ORDER BY "agentId", slug COLLATE "C"`;

/** Reads what many agents may use, with the SQL that lists and calls use. */
@Injectable()
export class OfferedServersRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns the servers of each agent, by slug; an agent that may use none has an empty list. */
  async ofAgents(agentIds: readonly string[]): Promise<Map<string, OfferedServer[]>> {
    const rows = await this.database.prepared<OfferedServer>('access.offered', OFFERED, [agentIds]);
    const byAgent = new Map<string, OfferedServer[]>(agentIds.map((id) => [id, []]));
    for (const row of rows) byAgent.get(row.agentId)!.push(row);
    return byAgent;
  }
}

/** A server that an agent may use, with the tools that the agent may call. */
export interface AllowedServer extends UsedServer {
  serverName: string;
  slug: string;
  credentialSetName: string;
  /** False before the first listing of its tools; see `FirstListingsService.ensure`. */
  toolsListed: boolean;
  /** The catalogue's description, for the instructions to agents. */
  description: string;
  /** Whether the grant is narrowed to tools: the agent then has no prompts and resources of the server. */
  narrowed: boolean;
  /** In the order of the server. */
  tools: ToolDefinition[];
  /** The names of those of the tools whose calls a person has to approve. */
  asks: string[];
}

/** One tool of one server, and why an agent may not use it; `reason` null if it may. */
export interface AgentToolRow {
  name: string;
  serverId: string;
  serverName: string;
  slug: string;
  reason: RefusalReason | null;
  /** Why clients would refuse the definition of the tool; null for a valid one. */
  invalidReason: string | null;
  /** Whether a person has to approve each call. */
  ask: boolean;
  /** null for a server that the agent has from nowhere. */
  source: AccessSource | null;
  /** The names of the profiles of the agent that have the server. */
  profiles: string[];
  /** The name of the credential set that calls use. */
  credentialSet: string;
}

const ALLOWED_SERVERS = `
  SELECT ${SERVER_COLUMNS}, ${NARROWED} AS narrowed, s.tools_listed_at IS NOT NULL AS "toolsListed", s.entry ->> 'description' AS description,
    coalesce((SELECT json_agg(${WRITTEN} ORDER BY t.position, t.name) FROM server_tools t
              WHERE t.server_id = s.id AND ${TOOL_REFUSAL} IS NULL), '[]') AS tools,
    CASE WHEN NOT a.ask_writes AND a.ask_tools IS NULL THEN '{}' ELSE
      ARRAY(SELECT t.name FROM server_tools t WHERE t.server_id = s.id AND ${ASKS_APPROVAL}) END AS asks
  FROM ${AGENT_AND_SERVERS}
  WHERE ${THE_AGENT} AND ${SERVER_REFUSAL} IS NULL ORDER BY s.slug COLLATE "C"`;

const CALL_BY_ID = foundCall('$1', 's.id = $2', '$3');
const CALL_BY_SLUG = foundCall('$1', 's.slug = $2', '$3');

@Injectable()
export class ToolAccessRepository {
  constructor(private readonly database: DatabaseService) {}

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
      `SELECT t.name, s.id AS "serverId", s.name AS "serverName", s.slug, coalesce(${SERVER_REFUSAL}, ${TOOL_REFUSAL}) AS reason,
         CASE WHEN t.present THEN t.invalid_reason END AS "invalidReason",
         ${ASKS_APPROVAL} AS ask, CASE WHEN a.is_granted THEN 'grant' WHEN a.agent_id IS NOT NULL THEN 'profile' END AS source,
         coalesce(a.profiles, '{}') AS profiles, cs.name AS "credentialSet"
       FROM ${AGENT_AND_SERVERS} JOIN server_tools t ON t.server_id = s.id
       WHERE ${THE_AGENT} ORDER BY s.slug COLLATE "C", t.position, t.name`,
      [agentId],
    );
  }
}
