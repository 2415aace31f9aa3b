import { Injectable } from '@nestjs/common';
import { rankOf, type UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { BatchedReads } from '../../platform/database/batched-reads.js';
import type { Page } from '../../platform/http/page-and-cursor.query.js';
import { ProjectsService } from '../../work/projects/projects.service.js';
import { type Position, positionIn, type Tab } from './attention-kinds.js';
import {
  type Asker,
  type AttentionPage,
  AttentionRepository,
  type CauseRow,
} from './attention.repository.js';
import type { CauseFilter } from './causes-sql.js';

interface Reading extends Asker {
  filter: CauseFilter;
}

/** What a caller asks for. */
export interface AttentionRequest extends Omit<CauseFilter, 'mine'> {
  tab?: Tab;
  mine: boolean;
  snoozed?: boolean;
  limit: number;
  cursor?: string;
}

/** The most pages that are read together, and so the most callers of one statement. */
const AT_ONCE = 64;

/**
 * Lists what needs a person (contract §8.7). Requests that arrive while one statement runs share the next one, whatever
 * the caller, so that many open dashboards cost little more than one. Nothing is kept between requests.
 */
@Injectable()
export class AttentionService {
  private readonly pages = new BatchedReads<AttentionPage>(
    'attention',
    async (asked) => {
      const pages = new Map<string, AttentionPage>();
      const readings = asked.map((key) => ({ key, ...(JSON.parse(key) as Reading) }));
      for (const group of groupedByFilter(readings))
        (await this.attention.pages(group, group[0]!.filter, asked.length)).forEach((page, at) =>
          pages.set(group[at]!.key, page),
        );
      return pages;
    },
    AT_ONCE,
  );

  constructor(
    private readonly projects: ProjectsService,
    private readonly attention: AttentionRepository,
  ) {}

  async list(
    caller: UserPrincipal,
    { projectId, mine, tab, snoozed, limit, cursor, ...others }: AttentionRequest,
  ): Promise<Pick<AttentionPage, 'counts' | 'snoozed'> & { page: Page<CauseRow> }> {
    const after = cursor === undefined ? null : positionIn(cursor);
    const project = await this.projects.getFiltered(caller, projectId);
    const filter = { ...others, ...(project && { projectId: project.id }), ...(mine && { mine: caller.id }) };
    const found = await this.read(caller, {
      filter,
      limit: limit + 1,
      after,
      tab: tab ?? null,
      snoozed: snoozed ?? (others.ids ? null : false),
    });
    const rows = found.rows.slice(0, limit);
    const next = found.cut || found.rows.length > rows.length ? positionOf(rows.at(-1)!) : null;
    return { page: { rows, next, total: null }, counts: found.counts, snoozed: found.snoozed };
  }

  /** Returns those of some items that the caller sees, snoozed or not. A page may end early, so all of them are read. */
  async seenBy(caller: UserPrincipal, ids: string[]): Promise<CauseRow[]> {
    const seen: CauseRow[] = [];
    for (let after: Position | null = null; ;) {
      const asked = { filter: { ids }, limit: ids.length, after, tab: null, snoozed: null };
      const { rows, cut }: AttentionPage = await this.read(caller, asked);
      seen.push(...rows);
      if (!cut) return seen;
      after = positionOf(rows.at(-1)!);
    }
  }

  private async read(
    caller: UserPrincipal,
    asked: Omit<Reading, 'id' | 'rank' | 'cap'>,
  ): Promise<AttentionPage> {
    const asker = { id: caller.id, rank: rankOf(caller.role), cap: rankOf(caller.roleCap ?? 'Owner') };
    return (await this.pages.read(JSON.stringify({ ...asker, ...asked } satisfies Reading)))!;
  }
}

function positionOf({ issues, severity, since, key }: CauseRow): Position {
  return [-issues, severity, since, key];
}

function groupedByFilter<Of extends { filter: CauseFilter }>(all: Of[]): Of[][] {
  const groups = new Map<string, Of[]>();
  for (const one of all) {
    const filter = JSON.stringify(one.filter);
    const group = groups.get(filter);
    if (group) group.push(one);
    else groups.set(filter, [one]);
  }
  return [...groups.values()];
}
