import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { validate as isUuid } from 'uuid';
import { DataSource } from 'typeorm';
import { AgentRepository } from '../../agents/agent.repository.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { NotFound, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import type { ServerStatus } from '../server-records/server-records.entities.js';
import {
  type AccessEntry,
  type AccessPair,
  changeOfEntry,
  entryErrors,
  pairErrors,
} from './access-entry-rules.js';
import { ServerAccess } from './access.entities.js';
import type { AccessSource } from './effective-access-and-refusals.js';
import { type AccessRow, ServerAccessRepository } from './server-grants.repository.js';

/** The grant of a server to an agent. */
interface MatrixCell extends Omit<AccessRow, 'agentName' | 'serverName' | 'refused'> {
  source: AccessSource;
}

/** A profile of the matrix. */
interface MatrixProfile {
  id: string;
  name: string;
  agentIds: string[];
  serverIds: string[];
}

/** The access of all agents to all servers. A pair without a cell is neither granted nor refused. */
interface AccessMatrix {
  agents: { id: string; name: string; disabled: boolean }[];
  servers: { id: string; name: string; status: ServerStatus; tools: number | null }[];
  cells: MatrixCell[];
  profiles: MatrixProfile[];
}

const MATRIX = `
  SELECT
    (SELECT coalesce(json_agg(json_build_object('id', g.id, 'name', g.name, 'disabled', g.disabled)
                              ORDER BY g.created_at, g.id), '[]')
     FROM agents g WHERE g.retired_at IS NULL) AS agents,
    (SELECT coalesce(json_agg(json_build_object('id', s.id, 'name', s.name, 'status', s.status, 'tools',
                                CASE WHEN s.tools_listed_at IS NOT NULL THEN coalesce(t.present, 0) END)
                              ORDER BY s.created_at, s.id), '[]')
     FROM installed_servers s
     LEFT JOIN (SELECT server_id, count(*)::int AS present FROM server_tools WHERE present GROUP BY server_id) t
       ON t.server_id = s.id) AS servers,
    (SELECT coalesce(json_agg(json_build_object('agentId', a.agent_id, 'serverId', a.server_id, 'granted', true,
                                'tools', a.tools, 'ask', a.ask, 'approverRole', a.approver_role, 'credentialSet', coalesce(cs.name, 'default'), 'source', 'grant')
                              ORDER BY a.agent_id, a.server_id), '[]')
     FROM server_access a JOIN agents g ON g.id = a.agent_id AND g.retired_at IS NULL
     LEFT JOIN credential_sets cs ON cs.id = a.credential_set_id)::jsonb
    || (SELECT coalesce(jsonb_agg(jsonb_build_object('agentId', r.agent_id, 'serverId', r.server_id, 'granted', false,
                          'tools', NULL, 'ask', NULL, 'approverRole', 'Editor', 'credentialSet', 'default', 'source', 'grant')
                        ORDER BY r.agent_id, r.server_id), '[]')
        FROM access_refusals r JOIN agents g ON g.id = r.agent_id AND g.retired_at IS NULL
        WHERE NOT EXISTS (SELECT FROM server_access a WHERE a.agent_id = r.agent_id AND a.server_id = r.server_id)) AS cells,
    (SELECT coalesce(json_agg(json_build_object('id', p.id, 'name', p.name,
              'agentIds', ARRAY(SELECT m.agent_id FROM access_profile_agents m WHERE m.profile_id = p.id ORDER BY 1),
              'serverIds', ARRAY(SELECT e.server_id FROM access_profile_entries e WHERE e.profile_id = p.id ORDER BY 1))
              ORDER BY p.name), '[]') FROM access_profiles p) AS profiles`;

/** Reads who may use what, of all agents and servers (contract §3.4). */
@Injectable()
export class AccessMatrixRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** SQL: a report of everything in one statement, so that agents, servers and cells fit together. */
  async whole(): Promise<AccessMatrix> {
    const [whole] = await this.source.query<AccessMatrix[]>(MATRIX);
    return whole!;
  }
}

/**
 * Reads and changes which agents may use which servers, from either side (contract §3.4). A change merges: agents and
 * servers that it does not name keep their access. All entries apply or none.
 */
@Injectable()
export class AccessService {
  constructor(
    @InjectRepository(ServerAccess) private readonly access: ServerAccessRepository,
    private readonly servers: InstalledServerRepository,
    private readonly agents: AgentRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  async ofServer(serverId: string): Promise<AccessRow[]> {
    if (!(await this.servers.findById(serverId))) throw new NotFound();
    return this.access.ofServer(serverId);
  }

  async ofAgent(agentId: string): Promise<AccessRow[]> {
    if (!isUuid(agentId) || !(await this.agents.findById(agentId))) throw new NotFound();
    return this.access.ofAgent(agentId);
  }

  /** @param entries with the ids of agents */
  setOfServer(serverId: string, entries: AccessEntry[]): Promise<AccessRow[]> {
    return this.transactions.run(async () => {
      if (!isUuid(serverId)) throw new NotFound();
      const agents = await this.access.holdAgents(idsOf(entries));
      const servers = await this.access.holdServers([serverId]);
      if (!servers.has(serverId)) throw new NotFound();
      throwIfAny(
        entryErrors(
          'agentId',
          entries,
          (id) => agents.has(id),
          () => servers.get(serverId),
        ),
      );
      await this.access.apply(
        entries.map(({ id, ...change }) => changeOfEntry({ agentId: id, serverId, ...change }, servers)),
      );
      await this.record(
        serverId,
        entries.map(({ id, ...change }) => ({ agentId: id, ...change })),
      );
      return this.access.ofServer(serverId);
    });
  }

  /** @param entries with the ids of servers */
  setOfAgent(agentId: string, entries: AccessEntry[]): Promise<AccessRow[]> {
    return this.transactions.run(async () => {
      if (!isUuid(agentId) || !(await this.access.holdAgents([agentId])).has(agentId)) throw new NotFound();
      const servers = await this.access.holdServers(idsOf(entries));
      throwIfAny(
        entryErrors(
          'serverId',
          entries,
          (id) => servers.has(id),
          (id) => servers.get(id),
        ),
      );
      await this.access.apply(
        entries.map(({ id, ...change }) => changeOfEntry({ agentId, serverId: id, ...change }, servers)),
      );
      for (const { id, ...change } of entries) await this.record(id, [{ agentId, ...change }]);
      return this.access.ofAgent(agentId);
    });
  }

  async setPairs(entries: AccessPair[]): Promise<void> {
    await this.transactions.run(async () => {
      const agents = await this.access.holdAgents(distinctIds(entries.map(({ agentId }) => agentId)));
      const servers = await this.access.holdServers(distinctIds(entries.map(({ serverId }) => serverId)));
      throwIfAny(pairErrors(entries, (id) => agents.has(id), servers));
      await this.access.apply(entries.map((entry) => changeOfEntry(entry, servers)));
      for (const id of new Set(entries.map(({ serverId }) => serverId)))
        await this.record(id, entries.filter(({ serverId }) => serverId === id).map(withoutServer));
    });
  }

  private async record(serverId: string, entries: object[]): Promise<void> {
    if (entries.length === 0) return;
    await this.journal.record({
      type: 'mcp.access.changed',
      subject: { type: 'server', id: serverId },
      data: { entries },
    });
  }
}

function idsOf(entries: AccessEntry[]): string[] {
  return entries.map(({ id }) => id).filter((id) => isUuid(id));
}

function withoutServer(pair: AccessPair): Omit<AccessPair, 'serverId'> {
  const { serverId: _, ...change } = pair;
  return change;
}

function distinctIds(ids: string[]): string[] {
  return [...new Set(ids)].filter((id) => isUuid(id));
}

function throwIfAny(errors: { path: string; message: string }[]): void {
  if (errors.length > 0) throw new ValidationFailed(errors);
}
