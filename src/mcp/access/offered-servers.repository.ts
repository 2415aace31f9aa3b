import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { UsedServer } from '../installed-servers/running/process-scope.js';
import { ASKS_APPROVAL } from './asks-approval.js';
import { SERVER_COLUMNS } from './call-verdict.js';
import { AGENT_AND_SERVERS, NARROWED, SERVER_REFUSAL, TOOL_REFUSAL } from './tool-verdict.js';

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
