import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { Import, type ImportedKind, type ImportError } from './import.entity.js';

/** The most rows of a report; `skipped` counts the others too. */
const MOST_ERRORS = 1_000;
/** Longer than a batch takes with all of its retries. Another process continues the import of one that has ended after this time. */
const CLAIM = `interval '15 seconds'`;

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

/** A row that an object of another system has become. */
export interface KnownObject {
  externalId: string;
  objectId: string;
  digest: string;
  importId: string;
  isMade: boolean;
  /** The status of an issue; null for anything else. */
  status: string | null;
}

/** What is stored of an object that was written. */
export interface WrittenObject {
  kind: ImportedKind;
  externalId: string;
  objectId: string;
  digest: string;
  isMade: boolean;
}

/** Thrown where another process has taken over an import. */
export class ClaimLost extends Error {}

const TABLES: Record<ImportedKind, { table: string; status: string }> = {
  goal: { table: 'goals', status: 'NULL' },
  issue: { table: 'issues', status: 'made.status' },
  comment: { table: 'comments', status: 'NULL' },
};

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
   * SQL: SKIP LOCKED. Takes the oldest import that no living process works on.
   * @param claim names this process until it takes another one
   */
  async take(claim: string): Promise<Import | null> {
    const [rows] = await this.query<[{ id: string }[], number]>(
      `UPDATE imports SET state = 'running', claim = $1, claimed_until = now() + ${CLAIM}, attempts = attempts + 1
       WHERE id = (
         SELECT id FROM imports WHERE state IN ('queued', 'running') AND (claimed_until IS NULL OR claimed_until < now())
         ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [claim],
    );
    return rows[0] ? this.findOneBy({ id: rows[0].id }) : null;
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
         claimed_until = now() + ${CLAIM}, attempts = 0
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
        JSON.stringify(errors),
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

  /** SQL: a table of the kind. Finds the rows that objects have become; one that was deleted since is not found. */
  async known(
    projectId: string,
    kind: ImportedKind,
    externalIds: readonly string[],
  ): Promise<Map<string, KnownObject>> {
    const { table, status } = TABLES[kind];
    const rows = await this.query<KnownObject[]>(
      `SELECT o.external_id AS "externalId", o.object_id AS "objectId", o.digest, o.import_id AS "importId",
              o.is_made AS "isMade", ${status} AS status
       FROM imported_objects o JOIN ${table} made ON made.id = o.object_id
       WHERE o.project_id = $1 AND o.kind = $2 AND o.external_id = ANY($3::text[])`,
      [projectId, kind, externalIds],
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
      `INSERT INTO imported_objects (project_id, kind, external_id, object_id, digest, import_id, is_made)
       SELECT $1, one.kind, one.external_id, one.object_id, one.digest, $2, one.is_made
       FROM unnest($3::text[], $4::text[], $5::uuid[], $6::text[], $7::boolean[])
         AS one(kind, external_id, object_id, digest, is_made)
       ON CONFLICT (project_id, kind, external_id) DO UPDATE SET
         object_id = excluded.object_id, digest = excluded.digest, import_id = excluded.import_id,
         is_made = excluded.is_made, imported_at = now()`,
      [
        projectId,
        id,
        written.map(({ kind }) => kind),
        written.map(({ externalId }) => externalId),
        written.map(({ objectId }) => objectId),
        written.map(({ digest }) => digest),
        written.map(({ isMade }) => isMade),
      ],
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
