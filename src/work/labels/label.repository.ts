import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import type { LabelRow } from '../issue-status/issue-row-and-references.js';
import { type Seen, visibilityOf } from '../projects/visibility.js';
import { Label } from './label.entity.js';

/** A label with the number of its unresolved issues. A caller who sees the project sees them all. */
export type CountedLabel = Label & { issues: number };

/** A label with the caller's rank in its project. */
export type SeenLabel = CountedLabel & Seen;

const COLUMNS = `
  l.id, l.project_id AS "projectId", l.name, l.color, l.description, l.created_at AS "createdAt", l.updated_at AS "updatedAt",
  (SELECT count(*)::int FROM issue_labels has JOIN issues i ON i.id = has.issue_id
   WHERE has.label_id = l.id AND i.status NOT IN ('Resolved', 'Closed')) AS issues`;

/** The name of the order of the list, which its cursors carry. */
export const BY_NAME = 'name';

/** Beside what TypeORM gives, the statements about labels that stay SQL (decision 0053). */
@Injectable()
export class LabelRepository extends Repository<Label> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(Label, source.manager);
  }

  /** SQL: visibility in the same read. Returns null for an id that is malformed, unknown, or not seen by the caller. */
  async findSeen(caller: Principal, id: string): Promise<SeenLabel | null> {
    if (!isUuid(id)) return null;
    const visibility = visibilityOf(caller, 'p', 2);
    const [seen] = await this.query<SeenLabel[]>(
      `SELECT ${COLUMNS}, ${visibility.rank} AS "callerRank"
       FROM labels l JOIN projects p ON p.id = l.project_id ${visibility.membership}
       WHERE l.id = $1 AND ${visibility.seen}`,
      [id, ...visibility.parameters],
    );
    return seen ?? null;
  }

  /** SQL: counts in other tables. */
  async read(id: string): Promise<CountedLabel | null> {
    const [label] = await this.query<CountedLabel[]>(`SELECT ${COLUMNS} FROM labels l WHERE l.id = $1`, [id]);
    return label ?? null;
  }

  /** SQL: a keyset page, by name without regard to case. */
  list(projectId: string, page: PageRequest): Promise<Page<CountedLabel>> {
    return this.pages.read<CountedLabel & { folded: string }>(
      {
        columns: `${COLUMNS}, lower(l.name) AS folded`,
        from: 'labels l',
        where: 'l.project_id = $1',
        parameters: [projectId],
        order: [
          { column: 'lower(l.name)', type: 'text' },
          { column: 'l.id', type: 'uuid' },
        ],
        keyOf: ({ folded, id }) => [folded, id],
      },
      page,
    );
  }

  /**
   * SQL: the database compares names. Finds the labels that texts name, by id before name.
   * @param isKept whether none of them is deleted until the transaction ends
   * @returns one for each text, null where a text names none
   */
  async named(projectId: string, texts: string[], isKept = true): Promise<(LabelRow | null)[]> {
    const found = await this.query<(LabelRow & { place: number })[]>(
      `SELECT given.place::int AS place, l.id, l.name, l.color
       FROM unnest($2::text[]) WITH ORDINALITY AS given(text, place)
       JOIN labels l ON l.project_id = $1 AND (l.id::text = lower(given.text) OR lower(l.name) = lower(given.text))
       ORDER BY l.id ${isKept ? 'FOR KEY SHARE OF l' : ''}`,
      [projectId, texts],
    );
    return texts.map((text, index) => {
      const fitting = found.filter(({ place }) => place === index + 1);
      const label = fitting.find(({ id }) => id === text.toLowerCase()) ?? fitting[0];
      return label ? { id: label.id, name: label.name, color: label.color } : null;
    });
  }

  /** SQL: the rows have no entity of their own in a response. The labels of an issue by name. */
  ofIssue(issueId: string): Promise<LabelRow[]> {
    return this.query<LabelRow[]>(
      `SELECT l.id, l.name, l.color FROM issue_labels has JOIN labels l ON l.id = has.label_id
       WHERE has.issue_id = $1 ORDER BY lower(l.name), l.id`,
      [issueId],
    );
  }

  /** SQL: many rows in one statement each. Changes the labels of an issue whose row the caller holds and counts them in. */
  async change(issueId: string, added: string[], removed: string[]): Promise<void> {
    if (removed.length > 0)
      await this.query('DELETE FROM issue_labels WHERE issue_id = $1 AND label_id = ANY($2::uuid[])', [
        issueId,
        removed,
      ]);
    if (added.length > 0)
      await this.query(
        'INSERT INTO issue_labels (issue_id, label_id) SELECT $1, label_id FROM unnest($2::uuid[]) AS label_id',
        [issueId, added],
      );
  }

  /** SQL: many rows in one statement. Gives labels to issues that the running transaction has created and counted them in. */
  async addToNew(given: readonly { issueId: string; labelId: string }[]): Promise<void> {
    await this.query(
      `INSERT INTO issue_labels (issue_id, label_id) SELECT * FROM unnest($1::uuid[], $2::uuid[])`,
      [given.map(({ issueId }) => issueId), given.map(({ labelId }) => labelId)],
    );
  }

  /**
   * SQL: locks the issues in id order, as every transaction does (contract §6). Takes a label off all issues that have it.
   * One that has lost it while this waited for its lock has no row to delete, and is not counted down.
   * @returns their ids
   */
  async takeOffIssues(id: string): Promise<string[]> {
    const [rows] = await this.query<[{ id: string }[], number]>(
      `WITH held AS MATERIALIZED (
         SELECT i.id FROM issues i WHERE i.id IN (SELECT issue_id FROM issue_labels WHERE label_id = $1)
         ORDER BY i.id FOR UPDATE),
       taken AS (
         DELETE FROM issue_labels USING held WHERE label_id = $1 AND issue_id = held.id RETURNING issue_id)
       UPDATE issues i SET label_count = label_count - 1, version = version + 1, updated_at = now()
       FROM taken WHERE i.id = taken.issue_id RETURNING i.id`,
      [id],
    );
    return rows.map((row) => row.id);
  }
}
