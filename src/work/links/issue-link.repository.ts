import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { Principal } from '../../platform/authentication/principal.js';
import { DatabaseService } from '../../platform/database/database.service.js';
import { KeysetPagesService } from '../../platform/database/keyset-pages.service.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { type LinkRow, linksOf, type LinkType } from '../issue-status/issue-row.js';
import { type Seen, visibilityOf } from '../projects/visibility.js';

/** The types of stored links. `B BlockedBy A` is stored as `A Blocks B`. */
export type StoredLinkType = 'Blocks' | 'RelatedTo' | 'DuplicateOf';

export interface StoredLink {
  id: string;
  sourceIssueId: string;
  targetIssueId: string;
  linkType: StoredLinkType;
  createdBy: { type: string; id: string | null; name: string };
}

/** A stored link with the caller's rank at both ends. */
export type SeenLink = Omit<StoredLink, 'createdBy'> & Seen & { sourceRank: number; targetRank: number };

/** One end of a link: an issue, and the type of the link as seen from it. */
export interface LinkEnd {
  id: string;
  issueId: string;
  projectId: string;
  linkType: LinkType;
}

@Injectable()
export class LinksRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly pages: KeysetPagesService,
  ) {}

  async insert(link: StoredLink): Promise<void> {
    const { id, sourceIssueId, targetIssueId, linkType, createdBy: by } = link;
    await this.database.change(
      `INSERT INTO issue_links (id, source_issue_id, target_issue_id, link_type, created_by_type, created_by_id, created_by_name)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [id, sourceIssueId, targetIssueId, linkType, by.type, by.id, by.name],
    );
  }

  /** RelatedTo has no direction: it exists whichever end created it. */
  async exists(sourceId: string, targetId: string, linkType: StoredLinkType): Promise<boolean> {
    const found = await this.database.row(
      `SELECT 1 FROM issue_links WHERE link_type = $3 AND (source_issue_id = $1 AND target_issue_id = $2
         OR $3 = 'RelatedTo' AND source_issue_id = $2 AND target_issue_id = $1)`,
      [sourceId, targetId, linkType],
    );
    return found !== null;
  }

  /** The largest number of links that one of these issues has. */
  async mostLinksOf(issueIds: string[]): Promise<number> {
    const row = await this.database.row<{ most: number }>(
      `SELECT max((SELECT count(*) FROM issue_links WHERE source_issue_id = link_end.id) +
                  (SELECT count(*) FROM issue_links WHERE target_issue_id = link_end.id))::int AS most
       FROM unnest($1::uuid[]) AS link_end(id)`,
      [issueIds],
    );
    return row!.most;
  }

  /** Returns the links of an issue as seen from their other ends. */
  listFromOtherEnds(issueId: string): Promise<LinkEnd[]> {
    return this.database.rows<LinkEnd>(
      `SELECT l.id, o.id AS "issueId", o.project_id AS "projectId",
              CASE WHEN l.link_type = 'Blocks' AND o.id = l.target_issue_id THEN 'BlockedBy' ELSE l.link_type END AS "linkType"
       FROM issue_links l JOIN issues o ON o.id IN (l.source_issue_id, l.target_issue_id) AND o.id <> $1
       WHERE $1 IN (l.source_issue_id, l.target_issue_id) ORDER BY l.id`,
      [issueId],
    );
  }

  /** Returns the links as seen from the issue, oldest first. */
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

  /** Returns one link as seen from the issue. */
  async readFrom(issueId: string, linkId: string): Promise<LinkRow | null> {
    const row = await this.database.row<{ link: LinkRow }>(
      `SELECT link FROM json_array_elements(${linksOf('$1::uuid')}) AS link WHERE link->>'id' = $2`,
      [issueId, linkId],
    );
    return row?.link ?? null;
  }

  async findSeen(caller: Principal, linkId: string): Promise<SeenLink | null> {
    if (!isUuid(linkId)) return null;
    const source = visibilityOf(caller, 'sp', 2);
    const target = visibilityOf(caller, 'tp', 4);
    return this.database.row<SeenLink>(
      `SELECT seen.*, greatest("sourceRank", "targetRank") AS "callerRank" FROM (
         SELECT l.id, l.source_issue_id AS "sourceIssueId", l.target_issue_id AS "targetIssueId", l.link_type AS "linkType",
                (SELECT ${source.rank} FROM projects sp ${source.membership} WHERE sp.id = s.project_id AND ${source.seen}) AS "sourceRank",
                (SELECT ${target.rank} FROM projects tp ${target.membership} WHERE tp.id = t.project_id AND ${target.seen}) AS "targetRank"
         FROM issue_links l JOIN issues s ON s.id = l.source_issue_id JOIN issues t ON t.id = l.target_issue_id
         WHERE l.id = $1) AS seen
       WHERE "sourceRank" IS NOT NULL AND "targetRank" IS NOT NULL`,
      [linkId, ...source.parameters, ...target.parameters],
    );
  }

  async delete(id: string): Promise<boolean> {
    return (await this.database.change('DELETE FROM issue_links WHERE id = $1', [id])) === 1;
  }

  /** Whether issues of these projects may be linked: both in one project, or both in open ones. */
  async mayMeet(projectIds: [string, string]): Promise<boolean> {
    if (projectIds[0] === projectIds[1]) return true;
    const closed = await this.database.row(
      `SELECT 1 FROM projects WHERE id = ANY($1::uuid[]) AND visibility <> 'open' LIMIT 1`,
      [projectIds],
    );
    return closed === null;
  }
}
