import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { shortened } from './formats/item-limits.js';
import {
  Import,
  type ImportedKind,
  type ImportError,
  type KnownObject,
  type LateIssue,
  MOST_ERRORS,
  type WrittenObject,
} from './import.entity.js';

/**
 * Another process continues an import whose claim has ended. It counts from the statement: from the begin of a transaction, that of a
 * batch which has waited for locks would have ended when it commits.
 */
const CLAIM_END = `clock_timestamp() + interval '15 seconds'`;

/** The advisory lock under which one process at a time takes an import. */
const TAKING = 727_031;

/** An import without its report, which may be long. */
export type ListedImport = Omit<
  Import,
  'errors' | 'ignored' | 'pass' | 'position' | 'attempts' | 'claim' | 'claimedUntil'
>;

/** What a step of an import has done. */
export interface Outcome {
  created: number;
  updated: number;
  /** One for each object that was left out or changed, or more. */
  errors: ImportError[];
  skipped: number;
}

/** Thrown where another process has taken over an import. */
export class ClaimLost extends Error {}

const TABLES: Record<ImportedKind, { table: string; status: string; ofProject: string }> = {
  goal: { table: 'goals', status: 'NULL', ofProject: 'made.project_id = $1' },
  issue: { table: 'issues', status: 'made.status', ofProject: 'made.project_id = $1' },
  comment: {
    table: 'comments',
    status: 'NULL',
    ofProject: 'EXISTS (SELECT FROM issues i WHERE i.id = made.issue_id AND i.project_id = $1)',
  },
};

/** What an export calls an object that was never imported. */
const OWN = /^awp:([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** Beside what TypeORM gives, the statements about imports that stay SQL (decision 0053). */
@Injectable()
export class ImportRepository extends Repository<Import> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(Import, source.manager);
  }

  /** SQL: a keyset page, newest first. */
  list(projectId: string, page: PageRequest): Promise<Page<ListedImport>> {
    return this.pages.read<ListedImport>(
      {
        columns: `id, project_id AS "projectId", format, state, total, done, created, updated, skipped, failure,
          started_by_id AS "startedById", started_by_name AS "startedByName", created_at AS "createdAt",
          finished_at AS "finishedAt"`,
        from: 'imports',
        where: 'project_id = $1',
        parameters: [projectId],
        order: [
          { column: 'created_at', type: 'timestamptz' },
          { column: 'id', type: 'uuid' },
        ],
        descending: true,
        keyOf: (row) => [row.createdAt.toISOString(), row.id],
      },
      page,
    );
  }

  /**
   * SQL: an advisory lock, and SKIP LOCKED. Takes the oldest import that no living process works on. A project has one at a time: two of one file would both
   * make what neither of them finds. Runs in a transaction, so that no other process takes one between the look and the claim.
   * @param claim names this process until it takes another one
   */
  async take(claim: string): Promise<Import | null> {
    await this.query('SELECT pg_advisory_xact_lock($1)', [TAKING]);
    const [rows] = await this.query<[{ id: string }[], number]>(
      `UPDATE imports SET state = 'running', claim = $1, claimed_until = ${CLAIM_END}, attempts = attempts + 1
       WHERE id = (
         SELECT one.id FROM imports one
         WHERE one.state IN ('queued', 'running') AND (one.claimed_until IS NULL OR one.claimed_until < now())
           AND NOT EXISTS (
             SELECT FROM imports other WHERE other.project_id = one.project_id AND other.id <> one.id
               AND other.state = 'running' AND other.claimed_until >= now())
         ORDER BY one.created_at, one.id LIMIT 1 FOR UPDATE OF one SKIP LOCKED)
       RETURNING id`,
      [claim],
    );
    return rows[0] ? this.findOneBy({ id: rows[0].id }) : null;
  }

  /** SQL: an advisory lock. Holds the number of a project's imports until the transaction ends, and nothing else of the project. */
  async lockCount(projectId: string): Promise<void> {
    await this.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 31))', [projectId]);
  }

  /** Keeps the claim of an import while it has no progress: its file may take minutes to read, and a lock to come. */
  async renew({ id, claim }: Pick<Import, 'id' | 'claim'>): Promise<void> {
    await this.update({ id, claim: claim!, state: 'running' }, { claimedUntil: () => CLAIM_END });
  }

  /** Reads how far the import is. @throws {ClaimLost} */
  async held({ id, claim }: Pick<Import, 'id' | 'claim'>): Promise<Import> {
    const row = await this.findOneBy({ id, claim: claim!, state: 'running' });
    if (!row) throw new ClaimLost();
    return row;
  }

  /** Lets any process take the import at once. */
  async release(id: string, claim: string): Promise<void> {
    await this.update({ id, claim }, { claimedUntil: null });
  }

  /**
   * SQL: counts on what the row has. Stores how far the import is, in the transaction that writes what it has done, and renews its claim.
   * @param done how many objects of the file are done by it
   * @throws {ClaimLost} where another process has taken it over, so that the transaction writes nothing
   */
  async advance(
    { id, claim }: Pick<Import, 'id' | 'claim'>,
    place: { pass: number; position: number } | null,
    done: number,
    { created, updated, skipped, errors }: Outcome,
  ): Promise<void> {
    const [, changed] = await this.query<[unknown, number]>(
      `UPDATE imports SET
         pass = coalesce($3, pass), position = coalesce($4, position), done = done + $5,
         created = created + $6, updated = updated + $7, skipped = skipped + $8,
         errors = CASE WHEN $9::jsonb = '[]' THEN errors ELSE (
           SELECT coalesce(jsonb_agg(one ORDER BY place), '[]') FROM (
             SELECT one, place FROM jsonb_array_elements(errors || $9::jsonb) WITH ORDINALITY AS every(one, place)
             ORDER BY place LIMIT ${MOST_ERRORS}) AS first) END,
         claimed_until = ${CLAIM_END}, attempts = 0
       WHERE id = $1 AND claim = $2 AND state = 'running'`,
      [
        id,
        claim,
        place?.pass ?? null,
        place?.position ?? null,
        done,
        created,
        updated,
        skipped,
        JSON.stringify(errors.map(({ line, message }) => ({ line, message: shortened(message) }))),
      ],
    );
    if (changed === 0) throw new ClaimLost();
  }

  /** Stores what the first reading of the file has found. @throws {ClaimLost} */
  async begin(
    { id, claim }: Pick<Import, 'id' | 'claim'>,
    found: { total: number; ignored: Record<string, number> },
  ): Promise<void> {
    const { affected } = await this.update({ id, claim: claim!, state: 'running' }, found);
    if (affected !== 1) throw new ClaimLost();
  }

  /** Ends the import. @throws {ClaimLost} */
  async finish({ id, claim }: Pick<Import, 'id' | 'claim'>, failure: string | null): Promise<Import> {
    const state = failure === null ? 'completed' : 'failed';
    const { affected } = await this.update(
      { id, claim: claim!, state: 'running' },
      { state, failure, finishedAt: () => 'now()', claimedUntil: null },
    );
    if (affected !== 1) throw new ClaimLost();
    return this.findOneByOrFail({ id });
  }

  /**
   * SQL: a table of the kind. Finds the rows that objects have become; one that was deleted since is not found. Objects of an export that comes
   * back into its project are their own rows.
   */
  async known(
    projectId: string,
    kind: ImportedKind,
    externalIds: readonly string[],
  ): Promise<Map<string, KnownObject>> {
    const { table, status, ofProject } = TABLES[kind];
    const own = externalIds.flatMap((externalId) => OWN.exec(externalId)?.[1] ?? []);
    const rows = await this.query<KnownObject[]>(
      `SELECT o.external_id AS "externalId", o.object_id AS "objectId", o.digest, o.import_id AS "importId",
              o.is_made AS "isMade", ${status} AS status, o.place, o.late_status AS "lateStatus"
       FROM imported_objects o JOIN ${table} made ON made.id = o.object_id
       WHERE o.project_id = $1 AND o.kind = $2 AND o.external_id = ANY($3::text[])
       UNION ALL
       SELECT 'awp:' || made.id, made.id, '', NULL, false, ${status}, NULL, NULL
       FROM ${table} made
       WHERE made.id = ANY($4::uuid[]) AND ${ofProject}
         AND NOT EXISTS (SELECT FROM imported_objects o WHERE o.project_id = $1 AND o.kind = $2 AND o.external_id = 'awp:' || made.id)
         AND NOT EXISTS (SELECT FROM imported_objects o WHERE o.object_id = made.id)`,
      [projectId, kind, externalIds, own],
    );
    return new Map(rows.map((row) => [row.externalId, row]));
  }

  /** SQL: unnest. Stores which rows objects have become. */
  async remember(
    { id, projectId }: Pick<Import, 'id' | 'projectId'>,
    written: readonly WrittenObject[],
  ): Promise<void> {
    if (written.length === 0) return;
    await this.query(
      `INSERT INTO imported_objects
         (project_id, kind, external_id, object_id, digest, import_id, is_made, late_line, late_status)
       SELECT $1, one.kind, one.external_id, one.object_id, one.digest, $2, one.is_made, one.late_line, one.late_status
       FROM unnest($3::text[], $4::text[], $5::uuid[], $6::text[], $7::boolean[], $8::int[], $9::text[])
         AS one(kind, external_id, object_id, digest, is_made, late_line, late_status)
       ON CONFLICT (project_id, kind, external_id) DO UPDATE SET
         place = CASE imported_objects.object_id WHEN excluded.object_id THEN imported_objects.place END,
         object_id = excluded.object_id, digest = excluded.digest, import_id = excluded.import_id,
         is_made = excluded.is_made, late_line = excluded.late_line, late_status = excluded.late_status, imported_at = now()`,
      [
        projectId,
        id,
        written.map(({ kind }) => kind),
        written.map(({ externalId }) => externalId),
        written.map(({ objectId }) => objectId),
        written.map(({ digest }) => digest),
        written.map(({ isMade }) => isMade),
        written.map(({ late }) => late?.line ?? null),
        written.map(({ late }) => late?.status ?? null),
      ],
    );
  }

  /** SQL: many rows in one statement. Gives known rows the external ids by which this version names their objects. */
  async rename(projectId: string, renamed: readonly WrittenObject[]): Promise<void> {
    if (renamed.length === 0) return;
    await this.query(
      `UPDATE imported_objects o SET external_id = one."externalId", digest = one.digest
       FROM json_to_recordset($2::json) AS one("objectId" uuid, "externalId" text, digest text)
       WHERE o.project_id = $1 AND o.object_id = one."objectId" AND NOT EXISTS (
         SELECT FROM imported_objects other
         WHERE other.project_id = $1 AND other.kind = o.kind AND other.external_id = one."externalId")`,
      [projectId, JSON.stringify(renamed)],
    );
  }

  /** SQL: columns under other names. Returns what this import has written without its end, in the order of the file. */
  late({ id, projectId }: Import): Promise<LateIssue[]> {
    return this.query(
      `SELECT external_id AS "externalId", object_id AS "objectId", digest, late_line AS line, late_status AS status
       FROM imported_objects
       WHERE project_id = $1 AND kind = 'issue' AND import_id = $2 AND late_line IS NOT NULL ORDER BY late_line`,
      [projectId, id],
    );
  }

  /** SQL: unnest. Stores what the source says of whose part issues are. */
  async rememberPlaces({ projectId }: Import, places: ReadonlyMap<string, string>): Promise<void> {
    if (places.size === 0) return;
    await this.query(
      `UPDATE imported_objects o SET place = one.place
       FROM unnest($2::text[], $3::text[]) AS one(external_id, place)
       WHERE o.project_id = $1 AND o.kind = 'issue' AND o.external_id = one.external_id`,
      [projectId, [...places.keys()], [...places.values()]],
    );
  }

  /** SQL: two tables and their rules of visibility. Finds the agent and the person with each name, where just one of them sees the project. */
  async people(
    projectId: string,
    names: readonly string[],
    seen: { byAgent: string; byUser: string },
  ): Promise<{ name: string; agentId: string | null; userId: string | null }[]> {
    return this.query(
      `SELECT named.name,
         (SELECT min(a.id::text)::uuid FROM agents a WHERE a.name = named.name AND a.retired_at IS NULL AND ${seen.byAgent}
          HAVING count(*) = 1) AS "agentId",
         (SELECT min(u.id::text)::uuid FROM users u WHERE u.name = named.name AND u.disabled_at IS NULL AND ${seen.byUser}
          HAVING count(*) = 1) AS "userId"
       FROM projects p, unnest($2::text[]) AS named(name) WHERE p.id = $1`,
      [projectId, names],
    );
  }
}
