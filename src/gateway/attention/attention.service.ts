import { Injectable } from '@nestjs/common';
import type { UserPrincipal } from '../../platform/auth/principal.js';
import { BatchedReads } from '../../platform/database/batched-reads.js';
import { decodeCursor } from '../../platform/http/pages/cursor.js';
import type { Page } from '../../platform/http/pages/page.js';
import { ProjectsService } from '../../work/projects/projects.service.js';
import {
  AttentionRepository,
  type AttentionPage,
  type CauseRow,
  type Position,
} from './attention.repository.js';

/** The name of the order, to which cursors are tied. */
export const BY_BLOCKED = 'attention';

interface Reading {
  caller: UserPrincipal;
  projectId: string | null;
  limit: number;
  after: Position | null;
}

/**
 * Lists what needs a person (contract §8.7). Equal requests that arrive while one statement runs share the next one, so
 * that many open dashboards cost little more than one. Nothing is kept between requests.
 */
@Injectable()
export class AttentionService {
  private readonly pages = new BatchedReads<AttentionPage>(async (asked) => {
    const read = async (key: string): Promise<[string, AttentionPage]> => {
      const { caller, projectId, limit, after } = JSON.parse(key) as Reading;
      return [key, await this.attention.page(caller, projectId, limit + 1, after)];
    };
    return new Map(await Promise.all(asked.map(read)));
  });

  constructor(
    private readonly projects: ProjectsService,
    private readonly attention: AttentionRepository,
  ) {}

  async list(
    caller: UserPrincipal,
    query: { projectId?: string; limit: number; cursor?: string },
  ): Promise<{ page: Page<CauseRow>; counts: AttentionPage['counts'] }> {
    const after = query.cursor === undefined ? null : (decodeCursor(query.cursor, BY_BLOCKED) as Position);
    const project = await this.projects.getFiltered(caller, query.projectId);
    const { id, role, roleCap } = caller;
    const who = { type: 'user', id, role, roleCap };
    const key = JSON.stringify({ caller: who, projectId: project?.id ?? null, limit: query.limit, after });
    const { rows: found, counts } = (await this.pages.read(key))!;
    const rows = found.slice(0, query.limit);
    const next = found.length > rows.length ? positionOf(rows.at(-1)!) : null;
    return { page: { rows, next, total: null }, counts };
  }
}

function positionOf({ issues, severity, since, key }: CauseRow): Position {
  return [-issues, severity, since.toISOString(), key];
}
