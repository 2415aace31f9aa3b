import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';

/** The tools of a grant whose calls need the approval of a person: all that may write, or these; null for none. */
export type AskedTools = 'writes' | string[] | null;

/** The least role in the project of a person who approves calls. */
export const approverRoles = ['Editor', 'Admin'] as const;
export type ApproverRole = (typeof approverRoles)[number];

/** The access of one agent to one server; `tools` null means all approved tools. */
export interface AccessRow {
  agentId: string;
  agentName: string;
  serverId: string;
  serverName: string;
  granted: boolean;
  tools: string[] | null;
  ask: AskedTools;
  approverRole: ApproverRole;
}

/** One change of access; an undefined field keeps what is set. */
export interface AccessChange {
  agentId: string;
  serverId: string;
  granted: boolean;
  tools?: string[] | null;
  ask?: AskedTools;
  approverRole?: ApproverRole;
}

const SELECT_ACCESS = `
  SELECT g.id AS "agentId", g.name AS "agentName", s.id AS "serverId", s.name AS "serverName",
         a.agent_id IS NOT NULL AS granted, a.tools,
         a.ask, coalesce(a.approver_role, 'Editor') AS "approverRole"
  FROM agents g CROSS JOIN installed_servers s
  LEFT JOIN server_access a ON a.agent_id = g.id AND a.server_id = s.id`;

/** SQL: the change of the row `a` names this field. */
const sets = (field: string): string => `EXISTS (
  SELECT 1 FROM json_to_recordset($1::json) AS change ("agentId" uuid, "serverId" uuid, sets jsonb)
  WHERE change.sets ? '${field}' AND change."agentId" = a.agent_id AND change."serverId" = a.server_id)`;

@Injectable()
export class AccessRepository {
  constructor(private readonly database: DatabaseService) {}

  /** Returns a row for every agent, oldest first. */
  ofServer(serverId: string): Promise<AccessRow[]> {
    return this.database.rows<AccessRow>(
      `${SELECT_ACCESS} WHERE s.id = $1 AND g.retired_at IS NULL ORDER BY g.created_at, g.id`,
      [serverId],
    );
  }

  /** Returns a row for every installed server, oldest first. */
  ofAgent(agentId: string): Promise<AccessRow[]> {
    return this.database.rows<AccessRow>(`${SELECT_ACCESS} WHERE g.id = $1 ORDER BY s.created_at, s.id`, [
      agentId,
    ]);
  }

  /** Returns the ids of those agents that exist, and locks them against retirement until the transaction ends. */
  async holdAgents(ids: string[]): Promise<Set<string>> {
    const rows = await this.database.rows<{ id: string }>(
      `SELECT id FROM agents WHERE id = ANY($1::uuid[]) AND retired_at IS NULL ORDER BY id FOR SHARE`,
      [ids],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Returns those servers that exist, by id with the names of their tools (null before the first listing), and locks
   * them against removal until the transaction ends.
   */
  async holdServers(ids: string[]): Promise<Map<string, Set<string> | null>> {
    const held = await this.database.rows<{ id: string; listed: boolean }>(
      `SELECT id, tools_listed_at IS NOT NULL AS listed FROM installed_servers WHERE id = ANY($1::uuid[]) ORDER BY id FOR KEY SHARE`,
      [ids],
    );
    const tools = await this.database.rows<{ serverId: string; name: string }>(
      `SELECT server_id AS "serverId", name FROM server_tools WHERE server_id = ANY($1::uuid[])`,
      [ids],
    );
    const namesOf = (id: string): Set<string> =>
      new Set(tools.filter(({ serverId }) => serverId === id).map(({ name }) => name));
    return new Map(held.map(({ id, listed }) => [id, listed ? namesOf(id) : null]));
  }

  /** Applies all changes in two statements. */
  async apply(changes: AccessChange[]): Promise<void> {
    const revoked = changes.filter(({ granted }) => !granted);
    await this.database.change(
      `DELETE FROM server_access a USING json_to_recordset($1::json) AS change ("agentId" uuid, "serverId" uuid)
       WHERE a.agent_id = change."agentId" AND a.server_id = change."serverId"`,
      [JSON.stringify(revoked)],
    );
    const granted = changes
      .filter((change) => change.granted)
      .map((change) => ({ ...change, sets: Object.keys(change).filter((name) => isSet(change, name)) }));
    await this.database.change(
      `INSERT INTO server_access AS a (agent_id, server_id, tools, ask, approver_role)
       SELECT "agentId", "serverId", CASE WHEN tools IS NOT NULL THEN ARRAY(SELECT json_array_elements_text(tools)) END,
              ask, coalesce("approverRole", 'Editor')
       FROM json_to_recordset($1::json) AS change
         ("agentId" uuid, "serverId" uuid, tools json, ask jsonb, "approverRole" text) ORDER BY 1, 2
       ON CONFLICT (server_id, agent_id) DO UPDATE
       SET tools = CASE WHEN ${sets('tools')} THEN excluded.tools ELSE a.tools END,
           ask = CASE WHEN ${sets('ask')} THEN excluded.ask ELSE a.ask END,
           approver_role = CASE WHEN ${sets('approverRole')} THEN excluded.approver_role ELSE a.approver_role END`,
      [JSON.stringify(granted)],
    );
  }
}

function isSet(change: AccessChange, name: string): boolean {
  return change[name as keyof AccessChange] !== undefined;
}
