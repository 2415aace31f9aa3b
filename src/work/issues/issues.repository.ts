import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/auth/principal.js';
import { Database } from '../../platform/database/database.js';
import { NotFound } from '../../platform/http/problem.js';
import type { Seen } from '../projects/require-role.js';
import { visibilityOf, visibilityShape } from '../projects/visibility.js';
import { parseIssueReference } from './issue-reference.js';
import { ISSUE_COLUMNS, ISSUE_TABLES, SUMMARY_COLUMNS, type IssueRow } from './issue-row.js';
import type { Status } from './issue-status.js';

/** What is decided on, without what can be long: an issue may have a thousand links. */
export type SeenIssue = Omit<IssueRow, 'description' | 'links'> & Seen;
export type WholeIssue = IssueRow & Seen;

/** An issue held by the running transaction: all that decisions are made on. */
export interface LockedIssue {
  id: string;
  projectId: string;
  status: Status;
  paused: boolean;
  version: number;
  attempts: number;
  assignedAgentId: string | null;
  assigneeUserId: string | null;
}

/** What a new issue consists of; its number and key are given by the project. */
export interface NewIssue {
  id: string;
  projectId: string;
  title: string;
  description: string;
  status: Status;
  priority: number;
  assignedAgentId: string | null;
  assigneeUserId: string | null;
  goalId: string | null;
  createdBy: { type: string; id: string | null; name: string };
}

/** Columns that an update may set, with their SQL names. */
const UPDATABLE = {
  title: 'title',
  description: 'description',
  priority: 'priority',
  assignedAgentId: 'assigned_agent_id',
  assigneeUserId: 'assignee_user_id',
  goalId: 'goal_id',
} as const;
export type IssueFields = Partial<Record<keyof typeof UPDATABLE, unknown>>;

@Injectable()
export class IssuesRepository {
  constructor(private readonly database: Database) {}

  /** @param reference id or key; anything else finds nothing, and so does what the caller can't see */
  findSeen(caller: Principal, reference: string): Promise<SeenIssue | null> {
    return this.find<SeenIssue>('seen', SUMMARY_COLUMNS, caller, reference);
  }

  /** As `findSeen`, with all that an answer shows. */
  findWhole(caller: Principal, reference: string): Promise<WholeIssue | null> {
    return this.find<WholeIssue>('whole', ISSUE_COLUMNS, caller, reference);
  }

  /** Holds the issue until the transaction ends; null where it was deleted meanwhile. */
  async lock(id: string): Promise<LockedIssue | null> {
    const [row] = await this.lockAll([id]);
    return row ?? null;
  }

  /** Holds several issues, in the order of their ids like everyone does (spec §6). */
  lockAll(ids: string[]): Promise<LockedIssue[]> {
    return this.database.rows<LockedIssue>(
      `SELECT id, project_id AS "projectId", status, paused, version, attempts,
              assigned_agent_id AS "assignedAgentId", assignee_user_id AS "assigneeUserId"
       FROM issues WHERE id = ANY($1::uuid[]) ORDER BY id FOR UPDATE`,
      [ids],
    );
  }

  async read(id: string): Promise<IssueRow | null> {
    const [row] = await this.database.prepared<IssueRow>(
      'issues.read',
      `SELECT ${ISSUE_COLUMNS} FROM ${ISSUE_TABLES} WHERE i.id = $1`,
      [id],
    );
    return row ?? null;
  }

  readAll(ids: string[]): Promise<IssueRow[]> {
    return this.database.rows<IssueRow>(
      `SELECT ${ISSUE_COLUMNS} FROM ${ISSUE_TABLES} WHERE i.id = ANY($1::uuid[])`,
      [ids],
    );
  }

  /**
   * Numbers are given out by the project's row, which makers of issues of one project pass one by one.
   * @throws NotFound where the project was deleted meanwhile
   */
  async insert(issue: NewIssue): Promise<void> {
    const by = issue.createdBy;
    const made = await this.database.prepared(
      'issues.insert',
      `WITH numbered AS (UPDATE projects SET last_issue_number = last_issue_number + 1 WHERE id = $2 RETURNING last_issue_number)
       INSERT INTO issues (id, project_id, number, title, description, status, priority, assigned_agent_id, assignee_user_id,
                           goal_id, created_by_type, created_by_id, created_by_name)
       SELECT $1, $2, last_issue_number, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 FROM numbered RETURNING id`,
      [
        issue.id,
        issue.projectId,
        issue.title,
        issue.description,
        issue.status,
        issue.priority,
        issue.assignedAgentId,
        issue.assigneeUserId,
        issue.goalId,
        by.type,
        by.id,
        by.name,
      ],
    );
    if (made.length === 0) throw new NotFound();
  }

  /** Sets fields of an issue that is locked. */
  async setFields(id: string, fields: IssueFields): Promise<void> {
    const names = Object.keys(fields) as (keyof typeof UPDATABLE)[];
    const assignments = names.map((name, index) => `${UPDATABLE[name]} = $${index + 2}`);
    await this.database.change(
      `UPDATE issues SET ${assignments.join(', ')}, version = version + 1, updated_at = now() WHERE id = $1`,
      [id, ...names.map((name) => fields[name])],
    );
  }

  async delete(id: string): Promise<void> {
    await this.database.change('DELETE FROM issues WHERE id = $1', [id]);
  }

  private async find<Row>(
    name: string,
    columns: string,
    caller: Principal,
    reference: string,
  ): Promise<Row | null> {
    const parsed = parseIssueReference(reference);
    if (!parsed) return null;
    const byId = 'id' in parsed;
    const visibility = visibilityOf(caller, 'p', byId ? 2 : 3);
    const [row] = await this.database.prepared<Row>(
      `issues.${name}.${byId ? 'id' : 'key'}.${visibilityShape(caller)}`,
      `SELECT ${columns}, ${visibility.rank} AS "callerRank" FROM ${ISSUE_TABLES} ${visibility.membership}
       WHERE ${byId ? 'i.id = $1' : 'p.key = $1 AND i.number = $2'} AND ${visibility.seen}`,
      [...(byId ? [parsed.id] : [parsed.projectKey, parsed.number]), ...visibility.parameters],
    );
    return row ?? null;
  }
}
