import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { prepared, unseen } from '../../platform/database/service.client.js';
import { NotFound } from '../../platform/http/problem.js';
import { type Seen, visibilityOf, visibilityShape } from '../projects/visibility.js';
import { forgetGivenBackUnless, resetAttemptsWhen } from './given-back-issues-and-attempts.repository.js';
import {
  type EditableFields,
  importedFrom,
  ISSUE_COLUMNS,
  ISSUE_TABLES,
  type IssueRow,
  linksOf,
  LOCKED_COLUMNS,
  type LockedIssue,
  parseIssueReference,
  SEEN_COLUMNS,
} from './issue-row-and-references.js';
import type { Status } from './issue-status.js';
import { Issue } from './issue.entity.js';

/** An issue that the caller sees, without what a rule does not read: an issue may have two thousand links. */
export type SeenIssue = Omit<IssueRow, 'description' | 'labels' | 'links' | 'children' | 'imported'> & Seen;
type RepeatedRelation = 'children' | 'links' | 'imported' | 'leaseExpiresAt';
export type WholeIssue = IssueRow & Seen;

/** A new issue; its project gives it a number and thereby a key. */
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
  parentId: string | null;
  holdsParent: boolean;
  labelCount: number;
  createdBy: { type: string; id: string | null; name: string };
}

/** A change of the status of a locked issue, from the status it has. */
export interface StatusChange {
  id: string;
  status: Status;
  pausedAfter: boolean;
}

/** The fields that an update may set; the count goes with a change of the labels. */
type WrittenFields = EditableFields & { labelCount: number };

const EDITABLE_COLUMNS: Record<keyof WrittenFields, string> = {
  title: 'title',
  description: 'description',
  priority: 'priority',
  assignedAgentId: 'assigned_agent_id',
  assigneeUserId: 'assignee_user_id',
  goalId: 'goal_id',
  parentId: 'parent_id',
  holdsParent: 'holds_parent',
  labelCount: 'label_count',
};

/**
 * `$4` is the new status; `$5` whether a person asked for it, which resets what counts failed attempts. A person and a
 * finish end the time for which an agent does not get the issue again. `$6` says whether its finished work is handed in, which lasts while it waits.
 */
const SET_STATUS = prepared(
  'issues.set-status',
  `
  UPDATE issues i SET
    status = $4, paused = changed.paused, version = i.version + 1, updated_at = now(),
    started_at = CASE WHEN $4 = 'InProgress' THEN coalesce(i.started_at, now()) ELSE i.started_at END,
    resolved_at = CASE WHEN $4 = 'Resolved' THEN now() WHEN $4 = 'Closed' THEN i.resolved_at END,
    closed_at = CASE WHEN $4 = 'Closed' THEN now() END,
    ${resetAttemptsWhen('$5')},
    handed_in = $4 = 'WaitingOnDependency' AND (i.status = 'WaitingOnDependency' AND i.handed_in OR $6),
    ${forgetGivenBackUnless(`NOT $5 AND $4 NOT IN ('PendingReview', 'Resolved', 'Closed')`)}
  FROM unnest(${unseen('$1::uuid[]')}, ${unseen('$2::text[]')}, ${unseen('$3::boolean[]')}) AS changed(id, status, paused)
  WHERE i.id = changed.id AND i.status = changed.status`,
);

const ADD = prepared(
  'issues.insert',
  `WITH numbered AS (UPDATE projects SET last_issue_number = last_issue_number + 1 WHERE id = $2 RETURNING last_issue_number)
       INSERT INTO issues (id, project_id, number, title, description, status, priority, assigned_agent_id, assignee_user_id,
                           goal_id, label_count, created_by_type, created_by_id, created_by_name, parent_id, holds_parent)
       SELECT $1, $2, last_issue_number, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15 FROM numbered RETURNING id`,
);

const THESE = `i.id = ANY(${unseen('$1::uuid[]')}::uuid[])`;

const LOCK_ALL = prepared(
  'issues.lock',
  `SELECT ${LOCKED_COLUMNS} FROM issues i JOIN projects p ON p.id = i.project_id
   WHERE ${THESE} ORDER BY i.id FOR UPDATE OF i`,
);

const READ_ALL = prepared('issues.read-all', `SELECT ${ISSUE_COLUMNS} FROM ${ISSUE_TABLES} WHERE ${THESE}`);
const READ = prepared('issues.read', `SELECT ${ISSUE_COLUMNS} FROM ${ISSUE_TABLES} WHERE i.id = $1`);

/** Its lease goes with it, so its worker learns of the deletion from another table, for a day. */
const DELETE = `
  WITH old AS (DELETE FROM deleted_leases WHERE deleted_at < now() - interval '1 day'),
  unheard AS (
    INSERT INTO deleted_leases (issue_id, agent_id, worker, token)
    SELECT issue_id, agent_id, worker, token FROM issue_leases WHERE issue_id = $1 AND worker IS NOT NULL)
  DELETE FROM issues WHERE id = $1`;

/** Beside what TypeORM gives, the statements about issues that stay SQL (decision 0053). */
@Injectable()
export class IssueRepository extends Repository<Issue> {
  constructor(@InjectDataSource() source: DataSource) {
    super(Issue, source.manager);
  }

  /** SQL: visibility in the same read. @param reference id or key. Returns null for anything else, and for an issue that the caller cannot see. */
  findSeen(caller: Principal, reference: string): Promise<SeenIssue | null> {
    return this.findReferenced<SeenIssue>('seen', SEEN_COLUMNS, caller, reference);
  }

  /** As `findSeen`, with all that a response shows. */
  findWhole(caller: Principal, reference: string): Promise<WholeIssue | null> {
    return this.findReferenced<WholeIssue>('whole', ISSUE_COLUMNS, caller, reference);
  }

  /** Locks the issue until the transaction ends; null when it has been deleted. */
  async lock(id: string): Promise<LockedIssue | null> {
    const [row] = await this.lockAll([id]);
    return row ?? null;
  }

  /** SQL: locks one table of a join. Locks several issues in id order, as every transaction does (contract §6). */
  lockAll(ids: string[]): Promise<LockedIssue[]> {
    return this.query<LockedIssue[]>(LOCK_ALL, [ids]);
  }

  /** SQL: rows of other tables. What an issue shows from other rows and a body may repeat. */
  async readRelations(id: string): Promise<Pick<IssueRow, RepeatedRelation>> {
    const [row] = await this.query<Pick<IssueRow, RepeatedRelation>[]>(
      `SELECT ${linksOf('$1::uuid')} AS links, ${importedFrom('$1::uuid')} AS imported, children_of_issue($1::uuid) AS children,
              (SELECT expires_at FROM issue_leases WHERE issue_id = $1 AND expires_at > now()) AS "leaseExpiresAt"`,
      [id],
    );
    return row!;
  }

  /** SQL: every response reads it, with what it shows from other rows. */
  async read(id: string): Promise<IssueRow | null> {
    const [row] = await this.query<IssueRow[]>(READ, [id]);
    return row ?? null;
  }

  /** SQL: with what issues show from other rows. */
  readAll(ids: string[]): Promise<IssueRow[]> {
    return this.query<IssueRow[]>(READ_ALL, [ids]);
  }

  /**
   * SQL: two tables in one statement. Inserts an issue. Its number comes from the project's row, so issues of one project are created one by one.
   * @throws {NotFound} when the project has been deleted
   */
  async add(issue: NewIssue): Promise<void> {
    const by = issue.createdBy;
    const inserted = await this.query<unknown[]>(ADD, [
      issue.id,
      issue.projectId,
      issue.title,
      issue.description,
      issue.status,
      issue.priority,
      issue.assignedAgentId,
      issue.assigneeUserId,
      issue.goalId,
      issue.labelCount,
      by.type,
      by.id,
      by.name,
      issue.parentId,
      issue.holdsParent,
    ]);
    if (inserted.length === 0) throw new NotFound();
  }

  /**
   * SQL: counts on what the row has. Sets fields of a locked issue.
   * @param byPerson whether a user changed them, so that the agent may have the issue again at once
   * @returns false when its version is another one by now
   */
  async setFields(
    { id, version }: LockedIssue,
    fields: Partial<WrittenFields>,
    byPerson: boolean,
  ): Promise<boolean> {
    const names = Object.keys(fields) as (keyof WrittenFields)[];
    const assignments = names.map((name, index) => `${EDITABLE_COLUMNS[name]} = $${index + 3}`);
    const text = `UPDATE issues i SET ${assignments.join(', ')}, version = version + 1, updated_at = now()
       ${byPerson ? `, ${forgetGivenBackUnless('false')}` : ''}
       WHERE id = $1 AND version = $2`;
    // Most edits set one field; the combinations of several are too many to be kept in each connection.
    const named =
      names.length === 1 ? prepared(`issues.set.${names[0]}${byPerson ? '.person' : ''}`, text) : text;
    const values = names.map((name) => fields[name]);
    const [, changed] = await this.query<[unknown, number]>(named, [id, version, ...values]);
    return changed === 1;
  }

  /** SQL: many rows, each from its own state. Sets the status of locked issues that still have the one they were locked with. @returns their number */
  async setStatus(
    changes: StatusChange[],
    to: Status,
    byPerson: boolean,
    isHandedIn: boolean,
  ): Promise<number> {
    const [, changed] = await this.query<[unknown, number]>(SET_STATUS, [
      changes.map(({ id }) => id),
      changes.map(({ status }) => status),
      changes.map(({ pausedAfter }) => pausedAfter),
      to,
      byPerson,
      isHandedIn,
    ]);
    return changed;
  }

  /** SQL: three tables in one statement. Deletes an issue, and remembers whom its end concerns. */
  async deleteWithLease(id: string): Promise<void> {
    await this.query(DELETE, [id]);
  }

  private async findReferenced<Row>(
    name: string,
    columns: string,
    caller: Principal,
    reference: string,
  ): Promise<Row | null> {
    const parsed = parseIssueReference(reference);
    if (!parsed) return null;
    const byId = 'id' in parsed;
    const visibility = visibilityOf(caller, 'p', byId ? 2 : 3);
    const [row] = await this.query<Row[]>(
      prepared(
        `issues.${name}.${byId ? 'id' : 'key'}.${visibilityShape(caller)}`,
        `SELECT ${columns}, ${visibility.rank} AS "callerRank" FROM ${ISSUE_TABLES} ${visibility.membership}
       WHERE ${byId ? 'i.id = $1' : 'p.key = $1 AND i.number = $2'} AND ${visibility.seen}`,
      ),
      [...(byId ? [parsed.id] : [parsed.projectKey, parsed.number]), ...visibility.parameters],
    );
    return row ?? null;
  }
}
