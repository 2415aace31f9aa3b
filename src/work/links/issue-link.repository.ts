import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import type { Actor } from '../../platform/journal/journal.service.js';
import { type LinkRow, linksOf, type LinkType } from '../issue-status/issue-row-and-references.js';
import { Issue } from '../issue-status/issue.entity.js';
import { type Seen, visibilityOf } from '../projects/visibility.js';
import { IssueLink } from './issue-link.entity.js';

/** A stored link with the caller's rank at both ends. */
export type SeenLink = Pick<IssueLink, 'id' | 'sourceIssueId' | 'targetIssueId' | 'linkType'> &
  Seen & { sourceRank: number; targetRank: number };

/** One end of a link: an issue, and the type of the link as seen from it. */
export interface LinkEnd {
  id: string;
  issueId: string;
  projectId: string;
  linkType: LinkType;
}

/** Beside what TypeORM gives, the reads of links that span both ends (decision 0053). */
@Injectable()
export class IssueLinkRepository extends Repository<IssueLink> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
  ) {
    super(IssueLink, source.manager);
  }

  /** SQL: unnest. Returns how many links each of these issues has. */
  async countsOf(issueIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.query<{ id: string; links: number }[]>(
      `SELECT id, ((SELECT count(*) FROM issue_links WHERE source_issue_id = link_end.id AND NOT of_child) +
                   (SELECT count(*) FROM issue_links WHERE target_issue_id = link_end.id AND NOT of_child))::int AS links
       FROM unnest($1::uuid[]) AS link_end(id)`,
      [issueIds],
    );
    return new Map(rows.map(({ id, links }) => [id, links]));
  }

  /** SQL: unnest. Inserts blocking links of one author. */
  async addBlocks(
    links: readonly Pick<IssueLink, 'id' | 'sourceIssueId' | 'targetIssueId'>[],
    { type, id, name }: Actor,
  ): Promise<void> {
    await this.query(
      `INSERT INTO issue_links (id, source_issue_id, target_issue_id, link_type, created_by_type, created_by_id, created_by_name)
       SELECT made.id, made.source, made.target, 'Blocks', $4, $5, $6
       FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) AS made(id, source, target)`,
      [
        links.map((link) => link.id),
        links.map(({ sourceIssueId }) => sourceIssueId),
        links.map(({ targetIssueId }) => targetIssueId),
        type,
        id,
        name,
      ],
    );
  }

  /** Returns the links of an issue as seen from their other ends. */
  listFromOtherEnds(issueId: string): Promise<LinkEnd[]> {
    const type = `CASE WHEN l.linkType = 'Blocks' AND o.id = l.targetIssueId THEN 'BlockedBy' ELSE l.linkType END`;
    return this.createQueryBuilder('l')
      .innerJoin(Issue, 'o', 'o.id IN (l.sourceIssueId, l.targetIssueId) AND o.id <> :issueId', { issueId })
      .where([
        { sourceIssueId: issueId, ofChild: false },
        { targetIssueId: issueId, ofChild: false },
      ])
      .select('l.id', 'id')
      .addSelect('o.id', 'issueId')
      .addSelect('o.projectId', 'projectId')
      .addSelect(type, 'linkType')
      .orderBy('l.id')
      .getRawMany<LinkEnd>();
  }

  /** SQL: a keyset page. Returns the links as seen from the issue, oldest first. */
  async list(issueId: string, page: PageRequest): Promise<Page<LinkRow>> {
    const links = await this.pages.readOldestFirst<{ id: string; createdAt: Date; link: LinkRow }>(
      {
        columns: 'id, created_at AS "createdAt", link',
        from: `(SELECT (link->>'id')::uuid AS id, (link->>'createdAt')::timestamptz AS created_at, link
                FROM json_array_elements(${linksOf('$1::uuid')}) AS link) AS seen`,
        where: 'true',
        parameters: [issueId],
      },
      page,
    );
    return { ...links, rows: links.rows.map(({ link }) => link) };
  }

  /** SQL: the JSON that issues show. Returns one link as seen from the issue. */
  async readFrom(issueId: string, linkId: string): Promise<LinkRow | null> {
    const [row] = await this.query<{ link: LinkRow }[]>(
      `SELECT link FROM json_array_elements(${linksOf('$1::uuid')}) AS link WHERE link->>'id' = $2`,
      [issueId, linkId],
    );
    return row?.link ?? null;
  }

  /** SQL: visibility in the same read. Returns null for an id that is malformed, unknown, or not seen at both ends. */
  async findSeen(caller: Principal, linkId: string): Promise<SeenLink | null> {
    if (!isUuid(linkId)) return null;
    const source = visibilityOf(caller, 'sp', 2);
    const target = visibilityOf(caller, 'tp', 4);
    const [seen] = await this.query<SeenLink[]>(
      `SELECT seen.*, greatest("sourceRank", "targetRank") AS "callerRank" FROM (
         SELECT l.id, l.source_issue_id AS "sourceIssueId", l.target_issue_id AS "targetIssueId", l.link_type AS "linkType",
                (SELECT ${source.rank} FROM projects sp ${source.membership} WHERE sp.id = s.project_id AND ${source.seen}) AS "sourceRank",
                (SELECT ${target.rank} FROM projects tp ${target.membership} WHERE tp.id = t.project_id AND ${target.seen}) AS "targetRank"
         FROM issue_links l JOIN issues s ON s.id = l.source_issue_id JOIN issues t ON t.id = l.target_issue_id
         WHERE l.id = $1 AND NOT l.of_child) AS seen
       WHERE "sourceRank" IS NOT NULL AND "targetRank" IS NOT NULL`,
      [linkId, ...source.parameters, ...target.parameters],
    );
    return seen ?? null;
  }
}
