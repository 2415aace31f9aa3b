import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Any, DataSource, IsNull, Repository } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import { CredentialSet, InstalledServer } from '../server-records/server-records.entities.js';
import { ServerTool } from '../server-tools/tool.entities.js';
import { AccessProfileAgent, type ApproverRole, type AskedTools, ServerAccess } from './access.entities.js';
import { CREDENTIAL_SET } from './effective-access-and-refusals.js';

/** The access of one agent to one server; `tools` null means all approved tools. */
export interface AccessRow extends Omit<ServerAccess, 'credentialSetId' | 'grantedAt'> {
  agentName: string;
  serverName: string;
  granted: boolean;
  /** Whether the agent does not have the server, whatever its profiles say. */
  refused: boolean;
  /** The name of the credential set that the agent's calls use. */
  credentialSet: string;
}

/** One change of access; an undefined field keeps what is set. */
export interface AccessChange {
  agentId: string;
  serverId: string;
  granted: boolean;
  /** Without a grant: refuse the server, also where a profile gives it. Default: true. */
  refused?: boolean;
  tools?: string[] | null;
  ask?: AskedTools;
  approverRole?: ApproverRole;
  /** The id of a credential set of the server; the set `default` has the server's own. */
  credentialSetId?: string;
}

/** What an entry of a change may name of a server. */
export interface ServerNames {
  /** The names of its tools, or null before its first listing, when every name is accepted. */
  tools: ReadonlySet<string> | null;
  /** The ids of its credential sets by name. */
  sets: ReadonlyMap<string, string>;
}

const SELECT_ACCESS = `
  SELECT g.id AS "agentId", g.name AS "agentName", s.id AS "serverId", s.name AS "serverName",
         a.agent_id IS NOT NULL AS granted, a.agent_id IS NULL AND refused.agent_id IS NOT NULL AS refused, a.tools,
         a.ask, coalesce(a.approver_role, 'Editor') AS "approverRole",
         cs.name AS "credentialSet"
  FROM agents g CROSS JOIN installed_servers s
  LEFT JOIN server_access a ON a.agent_id = g.id AND a.server_id = s.id
  LEFT JOIN access_refusals refused ON refused.agent_id = g.id AND refused.server_id = s.id
  ${CREDENTIAL_SET}`;

/** SQL: the change of the row `a` names this field. */
const sets = (field: string): string => `EXISTS (
  SELECT 1 FROM json_to_recordset($1::json) AS change ("agentId" uuid, "serverId" uuid, sets jsonb)
  WHERE change.sets ? '${field}' AND change."agentId" = a.agent_id AND change."serverId" = a.server_id)`;

/** Beside what TypeORM gives, the statements about grants that stay SQL (decision 0053). */
@Injectable()
export class ServerAccessRepository extends Repository<ServerAccess> {
  constructor(@InjectDataSource() source: DataSource) {
    super(ServerAccess, source.manager);
  }

  /** SQL: a report with a row for every agent, oldest first. */
  ofServer(serverId: string): Promise<AccessRow[]> {
    return this.query(
      `${SELECT_ACCESS} WHERE s.id = $1 AND g.retired_at IS NULL ORDER BY g.created_at, g.id`,
      [serverId],
    );
  }

  /** SQL: a report with a row for every installed server, oldest first. */
  ofAgent(agentId: string): Promise<AccessRow[]> {
    return this.query(`${SELECT_ACCESS} WHERE g.id = $1 ORDER BY s.created_at, s.id`, [agentId]);
  }

  /** Returns the ids of those agents that exist, and locks them against retirement until the transaction ends. */
  async holdAgents(ids: string[]): Promise<Set<string>> {
    const agents = await this.manager.find(Agent, {
      select: { id: true },
      where: { id: Any(ids), retiredAt: IsNull() },
      order: { id: 'ASC' },
      lock: { mode: 'pessimistic_read' },
    });
    return new Set(agents.map(({ id }) => id));
  }

  /** Returns those servers that exist, by id, and locks them and their sets against removal until the transaction ends. */
  async holdServers(ids: string[]): Promise<Map<string, ServerNames>> {
    const lock = { mode: 'for_key_share' } as const;
    const servers = await this.manager.find(InstalledServer, {
      select: { id: true, toolsListedAt: true },
      where: { id: Any(ids) },
      order: { id: 'ASC' },
      lock,
    });
    const tools = await this.manager.find(ServerTool, {
      select: { serverId: true, name: true },
      where: { serverId: Any(ids) },
    });
    const credentialSets = await this.manager.find(CredentialSet, {
      select: { id: true, serverId: true, name: true },
      where: { serverId: Any(ids) },
      order: { id: 'ASC' },
      lock,
    });
    const namesOf = (id: string): Set<string> =>
      new Set(tools.filter(({ serverId }) => serverId === id).map(({ name }) => name));
    const setsOf = (id: string): Map<string, string> =>
      new Map(credentialSets.filter(({ serverId }) => serverId === id).map((set) => [set.name, set.id]));
    return new Map(
      servers.map(({ id, toolsListedAt }) => [
        id,
        { tools: toolsListedAt ? namesOf(id) : null, sets: setsOf(id) },
      ]),
    );
  }

  /** SQL: many rows at once. Applies all changes: grants, and refusals. */
  async apply(changes: AccessChange[]): Promise<void> {
    const revoked = changes.filter(({ granted }) => !granted);
    await this.query(
      `DELETE FROM server_access a USING json_to_recordset($1::json) AS change ("agentId" uuid, "serverId" uuid)
       WHERE a.agent_id = change."agentId" AND a.server_id = change."serverId"`,
      [JSON.stringify(revoked)],
    );
    await this.setRefusals(changes);
    const granted = changes
      .filter((change) => change.granted)
      .map((change) => ({ ...change, sets: Object.keys(change).filter((name) => isSet(change, name)) }));
    await this.query(
      `INSERT INTO server_access AS a (agent_id, server_id, tools, ask, approver_role, credential_set_id)
       SELECT "agentId", "serverId", CASE WHEN tools IS NOT NULL THEN ARRAY(SELECT json_array_elements_text(tools)) END,
              ask, coalesce("approverRole", 'Editor'), nullif("credentialSetId", "serverId")
       FROM json_to_recordset($1::json) AS change
         ("agentId" uuid, "serverId" uuid, tools json, ask jsonb, "approverRole" text, "credentialSetId" uuid) ORDER BY 1, 2
       ON CONFLICT (server_id, agent_id) DO UPDATE
       SET tools = CASE WHEN ${sets('tools')} THEN excluded.tools ELSE a.tools END,
           ask = CASE WHEN ${sets('ask')} THEN excluded.ask ELSE a.ask END,
           approver_role = CASE WHEN ${sets('approverRole')} THEN excluded.approver_role ELSE a.approver_role END,
           credential_set_id = CASE WHEN ${sets('credentialSetId')} THEN excluded.credential_set_id ELSE a.credential_set_id END`,
      [JSON.stringify(granted)],
    );
  }

  /**
   * SQL: many rows at once. Stores which changes refuse a server. Rows of profiles are locked first, so that no approved call begins by them
   * after the commit.
   */
  private async setRefusals(changes: AccessChange[]): Promise<void> {
    const refused = changes.filter(({ granted, refused: isRefused = true }) => !granted && isRefused);
    const lifted = changes.filter((change) => !refused.includes(change));
    await this.manager.find(AccessProfileAgent, {
      select: { agentId: true, profileId: true },
      where: { agentId: Any(refused.map(({ agentId }) => agentId)) },
      order: { agentId: 'ASC', profileId: 'ASC' },
      lock: { mode: 'pessimistic_write' },
    });
    await this.query(
      `INSERT INTO access_refusals (agent_id, server_id)
       SELECT "agentId", "serverId" FROM json_to_recordset($1::json) AS change ("agentId" uuid, "serverId" uuid)
       ORDER BY 1, 2 ON CONFLICT DO NOTHING`,
      [JSON.stringify(refused)],
    );
    await this.query(
      `DELETE FROM access_refusals r USING json_to_recordset($1::json) AS change ("agentId" uuid, "serverId" uuid)
       WHERE r.agent_id = change."agentId" AND r.server_id = change."serverId"`,
      [JSON.stringify(lifted)],
    );
  }
}

function isSet(change: AccessChange, name: string): boolean {
  return change[name as keyof AccessChange] !== undefined;
}
