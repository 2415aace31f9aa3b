import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { ServerStatus } from '../server-records/server-records.entities.js';
import type { AccessRow } from './server-grants.repository.js';
import type { AccessSource } from './server-and-tool-refusals.js';

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
export interface AccessMatrix {
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
