import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { type RecentUsage, recentUsageOf } from '../../agents/usage-figures.response.js';
import type { Principal, Role } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { Project, ProjectMember } from './project.entity.js';
import { prepared } from '../../platform/database/service.client.js';
import { roleOfUser, type Seen, seenByUser, visibilityOf, visibilityShape } from './visibility.js';

const GRAPH = 727_002;

/**
 * The lock of the dependency graph (contract §6). A transaction that changes edges, or ends or reopens an issue that may
 * block others, takes it first, before any row. Locking the two ends of an edge is not enough: four edges created at
 * once, each valid on its own, closed a cycle in 75 of 100 tries; with this lock in none.
 */
@Injectable()
export class GraphLockRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** SQL: an advisory lock. Waits for the lock and holds it until the transaction ends. */
  async take(): Promise<void> {
    await this.source.query('SELECT pg_advisory_xact_lock($1)', [GRAPH]);
  }
}

/** A project as it is read. */
export type ProjectRow = Omit<Project, 'lastIssueNumber'> & { usage: RecentUsage };

/** A project with the caller's rank in it. */
export type SeenProject = ProjectRow & Seen;

/** The form of a project's key, wherever a path takes one in place of an id (contract §4). */
const PROJECT_KEY = /^[A-Z][A-Z0-9]{1,9}$/;

const COLUMNS = `p.id, p.key, p.name, p.description, p.visibility, p.agents_may_assign AS "agentsMayAssign", ${recentUsageOf('project', 'p.id')} AS usage, p.created_at AS "createdAt", p.updated_at AS "updatedAt"`;

/** Beside what TypeORM gives, the statements about projects that stay SQL (decision 0053). */
@Injectable()
export class ProjectRepository extends Repository<Project> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(Project, source.manager);
  }

  /**
   * SQL: visibility in the same read, which most requests make.
   * @param reference id or key; anything else finds nothing
   */
  async findSeen(caller: Principal, reference: string): Promise<SeenProject | null> {
    const column = isUuid(reference) ? 'id' : PROJECT_KEY.test(reference) ? 'key' : null;
    if (!column) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    const [seen] = await this.query<SeenProject[]>(
      prepared(
        `projects.seen.${column}.${visibilityShape(caller)}`,
        `SELECT ${COLUMNS}, ${visibility.rank} AS "callerRank" FROM projects p ${visibility.membership}
         WHERE p.${column} = $1 AND ${visibility.seen}`,
      ),
      [reference, ...visibility.parameters],
    );
    return seen ?? null;
  }

  /** SQL: a keyset page, oldest first, with visibility in the same read. */
  listSeen(caller: Principal, page: PageRequest): Promise<Page<ProjectRow>> {
    const visibility = visibilityOf(caller, 'p', 1);
    const from = `projects p ${visibility.membership}`;
    const list = { columns: COLUMNS, from, where: visibility.seen, parameters: visibility.parameters };
    return this.pages.readOldestFirst<ProjectRow>(list, page, 'p');
  }

  /** Locks the project, so that no issue or link is created in it until the transaction ends. */
  async lock(id: string): Promise<void> {
    await this.findOne({ select: { id: true }, where: { id }, lock: { mode: 'pessimistic_write' } });
  }

  /** SQL: issues and links have their entities in modules above. */
  async hasLinksToOthers(id: string): Promise<boolean> {
    const found = await this.query<unknown[]>(
      `SELECT 1 FROM issues i
       JOIN issue_links l ON i.id IN (l.source_issue_id, l.target_issue_id)
       JOIN issues other ON other.id IN (l.source_issue_id, l.target_issue_id) AND other.project_id <> i.project_id
       WHERE i.project_id = $1 LIMIT 1`,
      [id],
    );
    return found.length > 0;
  }
}

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
