import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { KeysetPagesService } from '../database/keyset-pages.service.js';
import type { Page, PageRequest } from '../http/page-and-cursor.query.js';
import type { EventType } from '../journal/event-types.js';
import type { Actor } from '../journal/journal.service.js';
import { JournalMonthsService } from '../journal/journal-rows-and-months.repository.js';

/** A row of the journal. `position` is a bigint as text. */
export interface AuditRow {
  position: string;
  id: string;
  type: EventType;
  at: Date;
  actorType: Actor['type'];
  actorId: string | null;
  actorName: string;
  subjectType: string;
  subjectId: string | null;
  /** That of a server; null for others, and once the server is removed. */
  subjectName: string | null;
  projectId: string | null;
  issueId: string | null;
  /** null once the issue is deleted. */
  issueKey: string | null;
  data: Record<string, unknown>;
  requestId: string | null;
  origin: string | null;
}

/** The filters of the audit. An undefined one matches every row. */
export interface AuditFilter {
  type?: EventType[];
  actorId?: string;
  subjectId?: string;
  projectId?: string;
  /** Id or key. */
  issueId?: string;
  from?: Date;
  to?: Date;
}

/** An issue by its key, such as `DOCS-12`. The journal has ids only, and they outlive their issues. */
const idOfKey = (placeholder: string) =>
  `(SELECT i.id FROM issues i JOIN projects p ON p.id = i.project_id
    WHERE p.key = split_part(${placeholder}, '-', 1) AND i.number = split_part(${placeholder}, '-', 2)::int)`;

const KEY_OF_ISSUE = `(SELECT p.key || '-' || i.number FROM issues i JOIN projects p ON p.id = i.project_id
                 WHERE i.id = journal.issue_id)`;

const NAME_OF_SERVER = `CASE subject_type WHEN 'server'
  THEN (SELECT s.name FROM installed_servers s WHERE s.id = journal.subject_id::uuid) END`;

const CONDITIONS: Record<keyof AuditFilter, (placeholder: string, filter: AuditFilter) => string> = {
  type: (placeholder) => `type = ANY(${placeholder}::text[])`,
  actorId: (placeholder) => `actor_id = ${placeholder}`,
  subjectId: (placeholder) => `subject_id = ${placeholder}`,
  projectId: (placeholder) => `project_id = ${placeholder}`,
  issueId: (placeholder, { issueId }) =>
    `issue_id = ${isUuid(issueId) ? placeholder : idOfKey(`${placeholder}::text`)}`,
  from: (placeholder) => `created_at >= ${placeholder}`,
  to: (placeholder) => `created_at < ${placeholder}`,
};

@Injectable()
export class AuditRepository {
  constructor(
    private readonly pages: KeysetPagesService,
    private readonly months: JournalMonthsService,
  ) {}

  /** Lists the matching rows, newest first. */
  async list(filter: AuditFilter, page: PageRequest): Promise<Page<AuditRow>> {
    const names = (Object.keys(CONDITIONS) as (keyof AuditFilter)[]).filter(
      (name) => filter[name] !== undefined,
    );
    const conditions = names.map((name, index) => CONDITIONS[name](`$${index + 1}`, filter));
    const positions = await this.positionsOf(filter);
    const list = {
      columns: `position, id, type, created_at AS at, actor_type AS "actorType", actor_id AS "actorId",
                actor_name AS "actorName", subject_type AS "subjectType", subject_id AS "subjectId", ${NAME_OF_SERVER} AS "subjectName",
                project_id AS "projectId", issue_id AS "issueId", ${KEY_OF_ISSUE} AS "issueKey", data, request_id AS "requestId", origin`,
      from: 'journal',
      where: [positions, ...conditions].join(' AND '),
      parameters: names.map((name) => filter[name]),
      order: [{ column: 'position', type: 'bigint' }],
      descending: true,
      keyOf: (row: AuditRow) => [row.position],
    };
    return this.pages.read<AuditRow>(list, page);
  }

  /**
   * The condition that leaves out what was written before and after the window: rows are read in the order of their position, and all
   * later ones of the month would come first.
   */
  private async positionsOf({ from, to }: AuditFilter): Promise<string> {
    if (!from && !to) return 'true';
    const { first, end } = await this.months.window(from, to);
    return `position >= ${first} AND position < ${end}`;
  }
}
