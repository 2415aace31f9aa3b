import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { NotFound } from '../../platform/http/problem.js';
import { visibilityOf } from '../projects/visibility.js';
import { isBlocked } from './issue-dependencies.repository.js';
import { type LockedIssue, parseIssueReference } from './issue-row-and-references.js';
import type { NewIssue } from './issue.repository.js';

/** What decisions about what it blocks, and what it is made of, need of an issue. */
export type FoundIssue = Pick<
  LockedIssue,
  'id' | 'key' | 'projectId' | 'status' | 'paused' | 'assignedAgentId' | 'createdById'
>;

const ADD = `
  WITH numbered AS (
    UPDATE projects SET last_issue_number = last_issue_number + $2::int WHERE id = $1
    RETURNING key, last_issue_number - $2::int AS before),
  made AS (
    INSERT INTO issues (id, project_id, number, title, description, status, priority, assigned_agent_id, assignee_user_id,
                        goal_id, parent_id, holds_parent, label_count, created_by_type, created_by_id, created_by_name)
    SELECT one.id, $1, numbered.before + one.place, one.title, one.description, one.status, one.priority,
           one."assignedAgentId", one."assigneeUserId", one."goalId", one."parentId", one."holdsParent",
           one."labelCount", $4, $5, $6
    FROM numbered, ROWS FROM (json_to_recordset($3::json) AS (
      id uuid, title text, description text, status text, priority smallint, "assignedAgentId" uuid,
      "assigneeUserId" uuid, "goalId" uuid, "parentId" uuid, "holdsParent" boolean, "labelCount" smallint)) WITH ORDINALITY
      AS one(id, title, description, status, priority, "assignedAgentId", "assigneeUserId", "goalId", "parentId",
             "holdsParent", "labelCount", place)
    RETURNING id, number)
  SELECT made.id, numbered.key || '-' || made.number AS key FROM made, numbered`;

/** An issue as another system has it. It waits for nothing yet. */
export type ImportedIssue = NewIssue & {
  paused: boolean;
  authorType: string;
  authorName: string;
  createdAt: string | null;
  updatedAt: string | null;
  startedAt: string | null;
  resolvedAt: string | null;
  closedAt: string | null;
};

const ADD_IMPORTED = `
  WITH numbered AS (
    UPDATE projects SET last_issue_number = last_issue_number + $2::int WHERE id = $1
    RETURNING last_issue_number - $2::int AS before)
  INSERT INTO issues (id, project_id, number, title, description, status, paused, priority, assignee_user_id, goal_id,
                      label_count, created_by_type, created_by_name, created_at, updated_at, started_at, resolved_at,
                      closed_at, status_since)
  SELECT one.id, $1, numbered.before + one.place, one.title, one.description, one.status, one.paused, one.priority,
         one."assigneeUserId", one."goalId", one."labelCount", one."authorType", one."authorName",
         coalesce(one."createdAt", now()), coalesce(one."updatedAt", one."createdAt", now()), one."startedAt",
         one."resolvedAt", one."closedAt", coalesce(one."closedAt", one."resolvedAt", one."updatedAt", now())
  FROM numbered, ROWS FROM (json_to_recordset($3::json) AS (
    id uuid, title text, description text, status text, paused boolean, priority smallint, "assigneeUserId" uuid,
    "goalId" uuid, "labelCount" smallint, "authorType" text, "authorName" text, "createdAt" timestamptz,
    "updatedAt" timestamptz, "startedAt" timestamptz, "resolvedAt" timestamptz, "closedAt" timestamptz))
    WITH ORDINALITY AS one(id, title, description, status, paused, priority, "assigneeUserId", "goalId", "labelCount",
      "authorType", "authorName", "createdAt", "updatedAt", "startedAt", "resolvedAt", "closedAt", place)
  RETURNING id`;

/** Reads and creates many issues in one statement each (contract §5.10). */
@Injectable()
export class IssueBatchesRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /**
   * SQL: visibility in the same read. Finds what these texts name, ids or keys.
   * @returns the issues that the caller sees, by the text that names each
   */
  async findSeen(caller: Principal, references: readonly string[]): Promise<Map<string, FoundIssue>> {
    const named = references.flatMap((reference) => {
      const parsed = parseIssueReference(reference);
      return parsed ? [{ reference, ...parsed }] : [];
    });
    if (named.length === 0) return new Map();
    const { membership, seen, parameters } = visibilityOf(caller, 'p', 2);
    const rows = await this.source.query<(FoundIssue & { reference: string })[]>(
      `SELECT named.reference, i.id, p.key || '-' || i.number AS key, i.project_id AS "projectId", i.status, i.paused,
              i.assigned_agent_id AS "assignedAgentId", i.created_by_id AS "createdById"
       FROM json_to_recordset($1::json) AS named(reference text, id uuid, "projectKey" text, number int)
       CROSS JOIN LATERAL (
         SELECT * FROM issues WHERE id = named.id
         UNION ALL
         SELECT keyed.* FROM projects q JOIN issues keyed ON keyed.project_id = q.id AND keyed.number = named.number
         WHERE q.key = named."projectKey") AS i
       JOIN projects p ON p.id = i.project_id ${membership}
       WHERE ${seen}`,
      [JSON.stringify(named), ...parameters],
    );
    return new Map(rows.map(({ reference, ...issue }) => [reference, issue]));
  }

  /**
   * SQL: two tables in one statement. Inserts issues of one project and of one author. Their numbers follow each other in
   * the order given, because the project's row is locked until the transaction ends.
   * @returns the key of each, by its id
   * @throws {NotFound} when the project has been deleted
   */
  async add(projectId: string, issues: readonly NewIssue[]): Promise<Map<string, string>> {
    const { type, id, name } = issues[0]!.createdBy;
    const rows = await this.source.query<{ id: string; key: string }[]>(ADD, [
      projectId,
      issues.length,
      JSON.stringify(issues),
      type,
      id,
      name,
    ]);
    if (rows.length === 0) throw new NotFound();
    return new Map(rows.map((row) => [row.id, row.key]));
  }

  /**
   * SQL: two tables in one statement. Inserts issues of another system with their authors and times, and no links, so that none of
   * them waits. Their numbers follow each other in the order given.
   * @throws {NotFound} when the project has been deleted
   */
  async addImported(projectId: string, issues: readonly ImportedIssue[]): Promise<void> {
    const rows = await this.source.query<unknown[]>(ADD_IMPORTED, [
      projectId,
      issues.length,
      JSON.stringify(issues),
    ]);
    if (rows.length < issues.length) throw new NotFound();
  }

  /**
   * SQL: one statement. Puts an issue that an import has made below another one that it has made. The caller holds the graph lock and
   * both rows, and has asked `IssueParentsService.refuse`.
   */
  async placeImported(id: string, parentId: string, holdsParent: boolean): Promise<void> {
    await this.source.query('UPDATE issues SET parent_id = $2, holds_parent = $3 WHERE id = $1', [
      id,
      parentId,
      holdsParent,
    ]);
  }

  /**
   * SQL: the condition names links and gates. Makes those of these issues wait that something blocks. An import has just made and linked
   * them, so that no event says so (contract §5.12). The caller holds the graph lock and their rows.
   */
  async holdImported(ids: readonly string[]): Promise<void> {
    await this.source.query(
      `UPDATE issues i SET status = 'WaitingOnDependency'
       WHERE i.id = ANY($1::uuid[]) AND i.status IN ('Open', 'InProgress', 'PendingReview') AND ${isBlocked('i.id')}`,
      [ids],
    );
  }

  /** SQL: unnest. Gives issues that an import has made to their agents, except those that a person has given to one since. */
  async assignImported(given: readonly { id: string; agentId: string }[]): Promise<void> {
    await this.source.query(
      `UPDATE issues i SET assigned_agent_id = given.agent_id, version = i.version + 1
       FROM unnest($1::uuid[], $2::uuid[]) AS given(id, agent_id)
       WHERE i.id = given.id AND i.assigned_agent_id IS NULL`,
      [given.map(({ id }) => id), given.map(({ agentId }) => agentId)],
    );
  }
}
