import { Injectable } from '@nestjs/common';
import type { Role } from '../../platform/authentication/principal.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { roleOfUser, seenByUser } from './visibility.js';

export interface PersonRow {
  id: string;
  name: string;
  role: Role;
}

@Injectable()
export class PeopleRepository {
  constructor(private readonly pages: KeysetPagesService) {}

  /** The users who are not disabled, by name. @param projectId of a project that they must see; null for all */
  list(projectId: string | null, page: PageRequest): Promise<Page<PersonRow>> {
    const inProject = projectId !== null;
    return this.pages.read<PersonRow>(
      {
        columns: `u.id, u.name, ${inProject ? roleOfUser('p', 'u') : 'u.role'} AS role`,
        from: `users u ${inProject ? 'JOIN projects p ON p.id = $1' : ''}`,
        where: `u.disabled_at IS NULL ${inProject ? `AND ${seenByUser('p', 'u.id')}` : ''}`,
        parameters: inProject ? [projectId] : [],
        order: [
          { column: 'u.name', type: 'text' },
          { column: 'u.id', type: 'uuid' },
        ],
        keyOf: ({ id, name }) => [name, id],
      },
      page,
    );
  }
}

/** A member: a user or an agent, exactly one of the two ids. */
export interface MemberRow {
  id: string;
  userId: string | null;
  agentId: string | null;
  name: string;
  role: Role;
  createdAt: Date;
}

/** A change of one member: the new role, or null to remove the member. */
export interface MemberChange {
  userId: string | null;
  agentId: string | null;
  role: Role | null;
}

@Injectable()
export class MembersRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly pages: KeysetPagesService,
  ) {}

  list(projectId: string, page: PageRequest): Promise<Page<MemberRow>> {
    const from = `(
      SELECT coalesce(m.user_id, m.agent_id) AS id, m.user_id, m.agent_id, coalesce(u.name, a.name) AS name, m.role, m.created_at
      FROM project_members m LEFT JOIN users u ON u.id = m.user_id LEFT JOIN agents a ON a.id = m.agent_id
      WHERE m.project_id = $1) AS member`;
    const columns = `id, user_id AS "userId", agent_id AS "agentId", name, role, created_at AS "createdAt"`;
    return this.pages.readOldestFirst<MemberRow>(
      { columns, from, where: 'true', parameters: [projectId] },
      page,
    );
  }

  /** Returns those of these users and agents that can be members, with the role that each has now. */
  findCandidates(
    projectId: string,
    ids: string[],
  ): Promise<{ id: string; type: 'user' | 'agent'; role: Role | null }[]> {
    return this.database.rows(
      `SELECT u.id, 'user' AS type, m.role FROM users u
       LEFT JOIN project_members m ON m.project_id = $1 AND m.user_id = u.id WHERE u.id = ANY($2::uuid[])
       UNION ALL
       SELECT a.id, 'agent', m.role FROM agents a
       LEFT JOIN project_members m ON m.project_id = $1 AND m.agent_id = a.id
       WHERE a.id = ANY($2::uuid[]) AND a.retired_at IS NULL`,
      [projectId, ids],
    );
  }

  /** Adds a user. One who is a member already keeps the role. */
  async addUser(projectId: string, userId: string, role: Role): Promise<void> {
    await this.database.change(
      `INSERT INTO project_members (project_id, user_id, role) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
      [projectId, userId, role],
    );
  }

  async apply(projectId: string, { userId, agentId, role }: MemberChange): Promise<void> {
    const [column, id] = userId === null ? ['agent_id', agentId] : ['user_id', userId];
    if (role === null)
      await this.database.change(`DELETE FROM project_members WHERE project_id = $1 AND ${column} = $2`, [
        projectId,
        id,
      ]);
    else
      await this.database.change(
        `INSERT INTO project_members (project_id, ${column}, role) VALUES ($1, $2, $3)
         ON CONFLICT (project_id, ${column}) DO UPDATE SET role = excluded.role`,
        [projectId, id, role],
      );
  }
}
