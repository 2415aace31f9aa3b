import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import { type RecentUsage, recentUsageOf } from '../../agents/usage-figures.response.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { Project } from './project.entity.js';
import { type Seen, visibilityOf } from './visibility.js';

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
      `SELECT ${COLUMNS}, ${visibility.rank} AS "callerRank" FROM projects p ${visibility.membership}
       WHERE p.${column} = $1 AND ${visibility.seen}`,
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
