import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { prepared } from '../../platform/database/service.client.js';
import type { UsedServer } from '../processes/server-description-and-limits.js';
import type { ToolDefinition } from '../server-records/tool-definition.js';
import { WRITTEN } from '../server-tools/server-tool.repository.js';
import {
  type AccessSource,
  AGENT_AND_SERVERS,
  ASKS_APPROVAL,
  type CallVerdict,
  foundCall,
  type FoundCall,
  NARROWED,
  type RefusalReason,
  SERVER_COLUMNS,
  SERVER_REFUSAL,
  THE_AGENT,
  TOOL_REFUSAL,
  verdictOnServer,
} from './effective-access-and-refusals.js';

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
const OFFERED = prepared(
  'access.offered',
  `
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
  ORDER BY "agentId", slug COLLATE "C"`,
);

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

const ALLOWED_SERVERS = prepared(
  'tool-access.allowed',
  `
  SELECT ${SERVER_COLUMNS}, ${NARROWED} AS narrowed, s.tools_listed_at IS NOT NULL AS "toolsListed", s.entry ->> 'description' AS description,
    coalesce((SELECT json_agg(${WRITTEN} ORDER BY t.position, t.name) FROM server_tools t
              WHERE t.server_id = s.id AND ${TOOL_REFUSAL} IS NULL), '[]') AS tools,
    CASE WHEN NOT a.ask_writes AND a.ask_tools IS NULL THEN '{}' ELSE
      ARRAY(SELECT t.name FROM server_tools t WHERE t.server_id = s.id AND ${ASKS_APPROVAL}) END AS asks
  FROM ${AGENT_AND_SERVERS}
  WHERE ${THE_AGENT} AND ${SERVER_REFUSAL} IS NULL ORDER BY s.slug COLLATE "C"`,
);

const CALL_BY_ID = prepared('tool-access.call-by-id', foundCall('$1', 's.id = $2', '$3'));
const CALL_BY_SLUG = prepared('tool-access.call-by-slug', foundCall('$1', 's.slug = $2', '$3'));

const EXPLAINED = `
  SELECT t.name, s.id AS "serverId", s.name AS "serverName", s.slug, coalesce(${SERVER_REFUSAL}, ${TOOL_REFUSAL}) AS reason,
    CASE WHEN t.present THEN t.invalid_reason END AS "invalidReason",
    ${ASKS_APPROVAL} AS ask, CASE WHEN a.is_granted THEN 'grant' WHEN a.agent_id IS NOT NULL THEN 'profile' END AS source,
    coalesce(a.profiles, '{}') AS profiles, cs.name AS "credentialSet"
  FROM ${AGENT_AND_SERVERS} JOIN server_tools t ON t.server_id = s.id
  WHERE ${THE_AGENT} ORDER BY s.slug COLLATE "C", t.position, t.name`;

/** Decides what agents may use. Every query reads the database, so that a change takes effect when it is committed. */
@Injectable()
export class ToolAccessService {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /**
   * SQL: every list of tools reads it. Returns the servers that the agent may use now, by slug, each with the tools that it
   * may call in its own order. A server without tools is listed too; its first listing may be outstanding (`toolsListed`).
   */
  allowedTools(agentId: string): Promise<AllowedServer[]> {
    return this.source.query(ALLOWED_SERVERS, [agentId]);
  }

  /** Returns the servers whose prompts and resources the agent may use now, by slug. */
  async wholeServers(agentId: string): Promise<AllowedServer[]> {
    return (await this.allowedTools(agentId)).filter(({ narrowed }) => !narrowed);
  }

  /**
   * SQL: every request for prompts and resources reads it. Returns whether the agent may use those of a server.
   * @param server id or slug
   */
  async mayUse(agentId: string, server: string): Promise<CallVerdict> {
    const [found] = await this.source.query<FoundCall[]>(isUuid(server) ? CALL_BY_ID : CALL_BY_SLUG, [
      agentId,
      server,
      '',
    ]);
    return verdictOnServer(found ?? null);
  }

  /** SQL: every look for changed lists reads it. Returns the servers of each agent, by slug; the list may be empty. */
  async offeredServers(agentIds: readonly string[]): Promise<Map<string, OfferedServer[]>> {
    const rows = await this.source.query<OfferedServer[]>(OFFERED, [agentIds]);
    const byAgent = new Map<string, OfferedServer[]>(agentIds.map((id) => [id, []]));
    for (const row of rows) byAgent.get(row.agentId)!.push(row);
    return byAgent;
  }

  /** SQL: a report. Returns every tool of every installed server, and why the agent may or may not use it. */
  explain(agentId: string): Promise<AgentToolRow[]> {
    return this.source.query(EXPLAINED, [agentId]);
  }
}
