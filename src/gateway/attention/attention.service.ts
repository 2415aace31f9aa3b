import { Injectable } from '@nestjs/common';
import { rankOf, type UserPrincipal } from '../../platform/authentication/principal.js';
import { BatchedReads } from '../../platform/database/batched-reads.js';
import type { Page } from '../../platform/http/page-and-cursor.query.js';
import { ProjectsService } from '../../work/projects/projects.service.js';
import { type Position, positionIn } from './attention-kinds.js';
import {
  type Asker,
  type AttentionPage,
  AttentionRepository,
  type CauseRow,
} from './attention.repository.js';

interface Reading extends Asker {
  projectId: string | null;
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
      for (const [projectId, group] of groupedByProject(readings))
        (await this.attention.pages(group, projectId, asked.length)).forEach((page, at) =>
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
    query: { projectId?: string; limit: number; cursor?: string },
  ): Promise<{ page: Page<CauseRow>; counts: AttentionPage['counts'] }> {
    const after = query.cursor === undefined ? null : positionIn(query.cursor);
    const project = await this.projects.getFiltered(caller, query.projectId);
    const reading: Reading = {
      ...{ id: caller.id, rank: rankOf(caller.role), cap: rankOf(caller.roleCap ?? 'Owner') },
      ...{ projectId: project?.id ?? null, limit: query.limit + 1, after },
    };
    const { rows: found, counts, cut } = (await this.pages.read(JSON.stringify(reading)))!;
    const rows = found.slice(0, query.limit);
    const next = cut || found.length > rows.length ? positionOf(rows.at(-1)!) : null;
    return { page: { rows, next, total: null }, counts };
  }
}

function positionOf({ issues, severity, since, key }: CauseRow): Position {
  return [-issues, severity, since, key];
}

function groupedByProject<Of extends { projectId: string | null }>(all: Of[]): Map<string | null, Of[]> {
  const groups = new Map<string | null, Of[]>();
  for (const one of all) {
    const group = groups.get(one.projectId);
    if (group) group.push(one);
    else groups.set(one.projectId, [one]);
  }
  return groups;
}
