import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import type { Role } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { ProjectMember } from './project.entity.js';
import { roleOfUser, seenByUser } from './visibility.js';

export interface PersonRow {
  id: string;
  name: string;
  role: Role;
}

/** A member as it is read; `id` is the user's or the agent's. */
export type MemberRow = Omit<ProjectMember, 'projectId'> & { name: string };

/** Beside what TypeORM gives, the statements about the members of projects that stay SQL (decision 0053). */
@Injectable()
export class ProjectMemberRepository extends Repository<ProjectMember> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(ProjectMember, source.manager);
  }

  /** SQL: a keyset page, oldest first. */
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

  /**
   * SQL: a keyset page. The users who are not disabled, by name.
   * @param projectId of a project that they must see; null for all
   */
  listPeople(projectId: string | null, page: PageRequest): Promise<Page<PersonRow>> {
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

  /** SQL: a union of two tables. Returns those of these users and agents that can be members, with their present role. */
  findCandidates(
    projectId: string,
    ids: string[],
  ): Promise<{ id: string; type: 'user' | 'agent'; role: Role | null }[]> {
    return this.query(
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
    const insert = this.createQueryBuilder().insert().values({ projectId, userId, role });
    await insert.orIgnore().updateEntity(false).execute();
  }
}
