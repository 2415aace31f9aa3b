import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { pick } from '../../platform/http/pick.js';
import type { Actor } from '../../platform/journal/journal.service.js';
import { type Seen, visibilityOf } from '../projects/visibility.js';
import type { CheckNews, ItemNews } from './code-news.js';
import type { CheckState, CodeKind, CodeState } from './code.entity.js';

/** A branch, commit or pull request as an issue shows it. */
export interface CodeRow {
  id: string;
  issueId: string;
  kind: CodeKind;
  url: string;
  title: string;
  state: CodeState;
  checks: CheckState;
  author: string | null;
  counts: boolean;
  createdByType: 'user' | 'agent' | 'system';
  createdById: string | null;
  createdByName: string;
  createdAt: Date;
  updatedAt: Date;
}

/** A link of an issue of a project. */
export type PlacedCode = CodeRow & { projectId: string };
export type SeenCode = PlacedCode & Seen;

/** Code that its code host has not reported yet. */
interface NewItem {
  projectId: string;
  kind: CodeKind;
  url: string;
  repository: string;
  title: string;
  state?: CodeState;
  author?: string | null;
}

/** The most branches, commits and pull requests of one issue (contract §5.13). */
export const CODE_PER_ISSUE = 200;
/** How many of them may come from texts of outsiders, who could otherwise leave no place for what members name. */
const UNCOUNTED_PER_ISSUE = 50;

/** The open pull requests of an issue, and those of them whose checks fail (contract §5.13). */
export interface CodeCounts {
  open: number;
  failing: number;
}

/**
 * SQL: the column `code` of an issue `i`. The flag in the row of an issue spares one without links the look into other
 * tables. The function counts; its migration is 1764120001000-code-links.
 */
export const CODE_COUNTS = `
  CASE WHEN i.has_code THEN code_of_issue(i.id) ELSE '{"open": 0, "failing": 0}'::json END AS code`;

/** The end of the address of a commit that names it whole, as deliveries do. */
const FULL_SHA = /\/commit\/([0-9a-f]{40}|[0-9a-f]{64})$/;

const COLUMNS = `
  l.id, l.issue_id AS "issueId", c.project_id AS "projectId", c.kind, c.url, c.title, c.state, c.checks, c.author, l.counts,
  l.created_by_type AS "createdByType", l.created_by_id AS "createdById", l.created_by_name AS "createdByName",
  l.created_at AS "createdAt", c.updated_at AS "updatedAt"`;
const TABLES = 'code_links l JOIN code_items c ON c.id = l.item_id';

/** What the checks of an item `c` say together: one that failed counts most, and then one that runs. */
const CHECKS = `(
  SELECT CASE WHEN bool_or(k.state = 'failing') THEN 'failing' WHEN bool_or(k.state = 'pending') THEN 'pending'
    WHEN count(*) > 0 THEN 'passing' ELSE 'none' END
  FROM code_checks k WHERE k.project_id = c.project_id AND k.repository = c.repository AND k.sha = c.head_sha)`;

/** A report of the same instant does not take back that a check has ended. */
const STORE_CHECKS = `
  INSERT INTO code_checks AS kept (project_id, repository, sha, name, state, at)
  SELECT $1, $2, one.sha, one.name, one.state, coalesce(one.at, now())
  FROM json_to_recordset($3::json) AS one(sha text, name text, state text, at timestamptz)
  ON CONFLICT (project_id, repository, sha, name) DO UPDATE
    SET state = excluded.state, at = excluded.at, received_at = now()
    WHERE kept.at < excluded.at OR (kept.at = excluded.at AND excluded.state <> 'pending')`;

/** Whether a push `one` comes after what is known of its branch `kept`, whatever the times of their commits. */
const FOLLOWS = `(CASE kept.state WHEN 'closed' THEN one."isFirst" ELSE one.follows = kept.head_sha END)`;

/** A merged pull request stays merged; an older report changes nothing. Deliveries of one hook come here one by one. */
const STORE_ITEMS = `
  INSERT INTO code_items AS kept (id, project_id, kind, url, repository, title, state, head_sha, author, source_at)
  SELECT one.id, $1, one.kind, one.url, $2, one.title, one.state, one."headSha", one.author, one.at
  FROM json_to_recordset($3::json) AS one(
    id uuid, kind text, url text, title text, state text, "headSha" text, author text, at timestamptz,
    follows text, "isFirst" boolean)
  WHERE NOT EXISTS (
    SELECT 1 FROM code_items kept
    WHERE kept.project_id = $1 AND kept.url = one.url AND kept.source_at > one.at AND ${FOLLOWS} IS NOT TRUE)
  ON CONFLICT (project_id, url) DO UPDATE
    SET title = excluded.title, author = coalesce(excluded.author, kept.author), repository = excluded.repository,
        state = CASE kept.state WHEN 'merged' THEN 'merged' ELSE excluded.state END,
        head_sha = coalesce(excluded.head_sha, kept.head_sha),
        source_at = coalesce(excluded.source_at, kept.source_at), updated_at = now()`;

/** The statements about branches, commits and pull requests, which join several tables or write many rows (decision 0053). */
@Injectable()
export class CodeRepository {
  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** SQL: a join. The links of an issue, oldest first. */
  ofIssue(issueId: string): Promise<CodeRow[]> {
    return this.source.query(
      `SELECT ${COLUMNS} FROM ${TABLES} WHERE l.issue_id = $1 ORDER BY l.created_at, l.id`,
      [issueId],
    );
  }

  /** SQL: visibility in the same read. Returns null for an id that is malformed, unknown, or not seen by the caller. */
  async findSeen(caller: Principal, id: string): Promise<SeenCode | null> {
    if (!isUuid(id)) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    const [seen] = await this.source.query<SeenCode[]>(
      `SELECT ${COLUMNS}, ${visibility.rank} AS "callerRank"
       FROM ${TABLES} JOIN projects p ON p.id = c.project_id ${visibility.membership}
       WHERE l.id = $1 AND ${visibility.seen}`,
      [id, ...visibility.parameters],
    );
    return seen ?? null;
  }

  /** SQL: many rows in one statement. Stores what checks say, by the clock of their code host. */
  async storeChecks(projectId: string, repository: string, checks: readonly CheckNews[]): Promise<void> {
    if (checks.length === 0) return;
    await this.lockChecks(projectId, repository);
    await this.source.query(STORE_CHECKS, [projectId, repository, JSON.stringify(checks)]);
  }

  /**
   * SQL: an advisory lock. Until the transaction ends, no other one reports checks of a repository or adds a commit of it: each would miss
   * the other. Issues are locked before.
   */
  private async lockChecks(projectId: string, repository: string): Promise<void> {
    await this.source.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 32))', [
      `${projectId} ${repository}`,
    ]);
  }

  /** SQL: many rows in one statement. Stores items, and locks their rows until the transaction ends. */
  async storeItems(projectId: string, repository: string, items: readonly ItemNews[]): Promise<void> {
    const rows = items.map((item) => ({
      id: uuidv7(),
      ...pick(item, 'kind', 'url', 'title', 'state', 'headSha', 'author', 'at'),
      ...item.order,
    }));
    if (rows.length > 0) await this.source.query(STORE_ITEMS, [projectId, repository, JSON.stringify(rows)]);
  }

  /**
   * SQL: a conflict decides. Adds an item that a person or agent named before its code host has. A commit that its address names in full has
   * the checks that were reported of it, because its push may have come before, and is then not kept.
   */
  async addItem({
    projectId,
    kind,
    url,
    repository,
    title,
    state = 'open',
    author = null,
  }: NewItem): Promise<void> {
    const sha = (kind === 'commit' && FULL_SHA.exec(url)?.[1]) || null;
    if (sha !== null) await this.lockChecks(projectId, repository);
    await this.source.query(
      `INSERT INTO code_items (id, project_id, kind, url, repository, title, state, author, head_sha, checks)
       SELECT $1::uuid, c.project_id, $3, $4, c.repository, $6, $7, $8, c.head_sha, ${CHECKS}
       FROM (SELECT $2::uuid AS project_id, $5::text AS repository, $9::text AS head_sha) AS c
       ON CONFLICT (project_id, url) DO NOTHING`,
      [uuidv7(), projectId, kind, url, repository, title, state, author, sha],
    );
  }

  /** SQL: a row lock. Holds an item, so that no delivery changes it, and none misses its new link. */
  async lockItem(projectId: string, url: string): Promise<void> {
    await this.source.query('SELECT id FROM code_items WHERE project_id = $1 AND url = $2 FOR UPDATE', [
      projectId,
      url,
    ]);
  }

  /** SQL: an index on two columns. Which of these addresses the project knows. */
  async knownUrls(projectId: string, urls: string[]): Promise<Set<string>> {
    const rows = await this.source.query<{ url: string }[]>(
      'SELECT url FROM code_items WHERE project_id = $1 AND url = ANY($2::text[])',
      [projectId, urls],
    );
    return new Set(rows.map(({ url }) => url));
  }

  /** SQL: a join. The links of the items that have these addresses, or one of these commits as their head. */
  linksOf(projectId: string, repository: string, urls: string[], shas: string[]): Promise<PlacedCode[]> {
    return this.source.query(
      `SELECT ${COLUMNS} FROM ${TABLES}
       WHERE c.project_id = $1 AND (c.url = ANY($2::text[]) OR (c.repository = $3 AND c.head_sha = ANY($4::text[])))
       ORDER BY l.issue_id, l.id`,
      [projectId, urls, repository, shas],
    );
  }

  /** SQL: an aggregate over another table. Takes the checks of the heads over into these items. */
  async settleChecks(projectId: string, repository: string, urls: string[], shas: string[]): Promise<void> {
    await this.source.query(
      `UPDATE code_items c SET checks = ${CHECKS}, updated_at = now()
       WHERE c.project_id = $1 AND (c.url = ANY($2::text[]) OR (c.repository = $3 AND c.head_sha = ANY($4::text[])))
         AND c.checks <> ${CHECKS}`,
      [projectId, urls, repository, shas],
    );
  }

  /** SQL: rows of another module. The ids of the issues of a project that have these numbers. */
  async issuesNumbered(projectId: string, numbers: number[]): Promise<Map<number, string>> {
    if (numbers.length === 0) return new Map();
    const rows = await this.source.query<{ id: string; number: number }[]>(
      'SELECT id, number FROM issues WHERE project_id = $1 AND number = ANY($2::int[])',
      [projectId, numbers],
    );
    return new Map(rows.map(({ id, number }) => [number, id]));
  }

  /**
   * SQL: a conflict decides. Links an item to a locked issue; a link that someone who may write repeats counts from then on.
   * @returns whether that changed anything; null where the issue has as many links, or as many that do not count, as it may have
   */
  async link(
    issueId: string,
    projectId: string,
    url: string,
    counts: boolean,
    by: Actor,
    at: string | null = null,
  ): Promise<boolean | null> {
    const [full] = await this.source.query<{ full: boolean }[]>(
      `SELECT (count(*) >= ${CODE_PER_ISSUE} OR (NOT $3::boolean AND count(*) FILTER (WHERE NOT l.counts) >= ${UNCOUNTED_PER_ISSUE}))
         AND NOT coalesce(bool_or(c.url = $2), false) AS full
       FROM ${TABLES} WHERE l.issue_id = $1`,
      [issueId, url, counts],
    );
    if (full!.full) return null;
    const made = await this.source.query<unknown[]>(
      `INSERT INTO code_links AS kept (id, issue_id, item_id, counts, created_by_type, created_by_id, created_by_name, created_at)
       SELECT $1, $2, c.id, $5, $6, $7, $8, coalesce($9::timestamptz, now()) FROM code_items c WHERE c.project_id = $3 AND c.url = $4
       ON CONFLICT (issue_id, item_id) DO UPDATE SET counts = true WHERE excluded.counts AND NOT kept.counts
       RETURNING id`,
      [uuidv7(), issueId, projectId, url, counts, by.type, by.id, by.name, at],
    );
    if (made.length > 0)
      await this.source.query('UPDATE issues SET has_code = true WHERE id = $1 AND NOT has_code', [issueId]);
    return made.length > 0;
  }

  async unlink(id: string): Promise<boolean> {
    const [, count] = await this.source.query<[unknown, number]>('DELETE FROM code_links WHERE id = $1', [
      id,
    ]);
    return count === 1;
  }

  /**
   * SQL: bounded parts of three tables. Deletes after 90 days what no issue has: items, and checks of commits that are the
   * head of none.
   * @returns how many rows
   */
  async sweep(): Promise<number> {
    const [, items] = await this.source.query<[unknown, number]>(
      `DELETE FROM code_items WHERE id IN (
         SELECT c.id FROM code_items c WHERE c.updated_at < now() - interval '90 days'
           AND NOT EXISTS (SELECT 1 FROM code_links l WHERE l.item_id = c.id) LIMIT 5000)`,
    );
    const [, checks] = await this.source.query<[unknown, number]>(
      `DELETE FROM code_checks WHERE (project_id, repository, sha, name) IN (
         SELECT k.project_id, k.repository, k.sha, k.name FROM code_checks k
         WHERE k.received_at < now() - interval '90 days' AND NOT EXISTS (
           SELECT 1 FROM code_items c
           WHERE c.project_id = k.project_id AND c.repository = k.repository AND c.head_sha = k.sha) LIMIT 5000)`,
    );
    return items + checks;
  }
}
