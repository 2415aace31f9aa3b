import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { rankOf, type UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { BatchedReads } from '../../platform/database/batched-reads.js';
import type { Page } from '../../platform/http/page-and-cursor.query.js';
import type { Status } from '../../work/issue-status/issue-status.js';
import { heartbeatIntervalSeconds } from '../../work/leases/lease-token-checks-renewals-heartbeat-interval.service.js';
import { ProjectsService } from '../../work/projects/projects.service.js';
import { type AttentionKind, type Position, positionIn, type Tab, tabs } from './attention-kinds.js';
import { pagesSql, sweepSql } from './attention-pages-counts-and-snoozes-sql.js';
import { type CauseFilter, filterShape, filterValues, SILENT_INTERVALS } from './causes-sql.js';
import type { UsedBudget } from '../../work/budgets/budget-limits-and-amounts.js';

/** What the sentences and actions of a cause need, the same for every caller. */
interface CauseFacts {
  key: string;
  kind: AttentionKind;
  since: string;
  severity: number;
  project: { id: string; key: string; name: string } | null;
  issue: {
    id: string;
    key: string;
    title: string;
    status: Status;
    paused: boolean;
    attempts: number;
    releases: number;
    releaseReason: string | null;
  } | null;
  agent: {
    id: string;
    name: string;
    disabled: boolean;
    retired: boolean;
    neverSeen: boolean;
    failure: string;
    failingWorker: string;
  } | null;
  server: { id: string; name: string; reason: string | null; waiting: number } | null;
  credentialSet: { name: string; reason: string } | null;
  gate: {
    id: string;
    kind: string;
    title: string;
    detail: string | null;
    options: string[];
    recommended: string | null;
    answerRole: 'Editor' | 'Admin';
    /** Whether a server asks for a form to be filled in. */
    form: boolean;
  } | null;
  /** Questions with the same one are equal; null for what is no question. */
  group: string | null;
  apiKey: { id: string; name: string; userId: string | null; expiresAt: string } | null;
  webhook: { id: string; url: string; reason: 'gone' | 'not_found' } | null;
  schedule: { id: string; name: string; enabled: boolean; failures: number; reason: string } | null;
  budget: UsedBudget | null;
}

/** One cause as a caller sees it. */
export interface CauseRow extends CauseFacts {
  /** The issues that wait for it, directly or through others. */
  issues: number;
  /** The agents of those that have nothing else to do. */
  agents: number;
  /** The caller's rank in the project, 1 Viewer to 4 Owner; null without a project. */
  rank: number | null;
  /** When its snooze ends; null for one that the caller has not snoozed. */
  until: string | null;
  /** The questions equal to it, itself included, and the agents that ask them; null where there is no other. */
  equals: { items: number; agents: number } | null;
}

/** Who asks for which page; `rank` and `cap` are those of the user's key. */
export interface Asker {
  id: string;
  rank: number;
  cap: number;
  limit: number;
  after: Position | null;
  /** null for all tabs. */
  tab: Tab | null;
  /** null for items whether the caller has snoozed them or not. */
  snoozed: boolean | null;
}

export interface AttentionPage {
  rows: CauseRow[];
  /** Of what is not snoozed, in all tabs. */
  counts: Partial<Record<AttentionKind, number>>;
  /** How many items of all tabs the caller has snoozed. */
  snoozed: number;
  /** Whether more rows were asked for than its bytes admit. */
  cut: boolean;
}

type Item = [
  ids: number[],
  issues: number,
  rank: number | null,
  until: string | null,
  equals: number | null,
  agents: number | null,
];
type Row =
  | (Pick<AttentionPage, 'counts' | 'snoozed' | 'cut'> & { askers: number[]; items: Item[]; cause: null })
  | { id: number; cause: CauseFacts & { idle: string[] } };

/** All pages of one statement have at most the bytes of this many. */
const PAGES_AT_ONCE = 4;

/** One statement for each set of filters. */
const statements = new Map<string, string>();

/** Finds what needs a person. One statement reads the pages of all who ask, whatever the number of causes. */
@Injectable()
export class AttentionRepository {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly settings: Settings,
  ) {}

  /**
   * @param among the number of pages that are held together
   * @returns the pages in the order of `askers`
   */
  async pages(askers: Asker[], filter: CauseFilter, among: number): Promise<AttentionPage[]> {
    const after = (place: number) => askers.map((asker) => asker.after?.[place] ?? null);
    const rows = await this.source.query<Row[]>(statementFor(filter), [
      ...this.found(filter.projectId),
      ...(['id', 'rank', 'cap', 'limit'] as const).map((name) => askers.map((asker) => asker[name])),
      ...[0, 1, 2, 3].map(after),
      askers.map(({ tab }) => tab && tabs.indexOf(tab)),
      askers.map(({ snoozed }) => snoozed),
      Math.floor(this.settings.limits.pageMaxBytes * Math.min(1, PAGES_AT_ONCE / among)),
      ...filterValues(filter),
    ]);
    return pagesOf(rows);
  }

  /** SQL: the causes lie in many tables. Removes the snoozes whose time is over, and those whose cause is gone. */
  async sweepSnoozes(): Promise<number> {
    const [, removed] = await this.source.query<[unknown, number]>(sweepSql, this.found());
    return removed;
  }

  /** The parameters by which causes are found. */
  private found(projectId?: string): unknown[] {
    const { leaseSeconds, maxAttempts } = this.settings;
    const silence = SILENT_INTERVALS * heartbeatIntervalSeconds(leaseSeconds);
    return [maxAttempts, leaseSeconds, projectId ?? silence];
  }
}

function statementFor(filter: CauseFilter): string {
  const shape = filterShape(filter);
  const known = statements.get(shape);
  if (known !== undefined) return known;
  const made = pagesSql(filter);
  statements.set(shape, made);
  return made;
}

function causeOf(item: Item, causes: Map<number, CauseFacts & { idle: string[] }>): CauseRow {
  const [ids, issues, rank, until, equals, agentsAsking] = item;
  const parts = ids.map((id) => causes.get(id)!);
  const { idle: _, ...facts } = parts[0]!;
  const agents = new Set(parts.flatMap(({ idle }) => idle)).size;
  const hasEquals = equals !== null && equals > 1;
  return {
    ...facts,
    issues,
    rank,
    agents,
    until,
    equals: hasEquals ? { items: equals, agents: agentsAsking! } : null,
  };
}

function pagesOf(rows: Row[]): AttentionPage[] {
  const causes = new Map(rows.flatMap((row) => (row.cause ? [[row.id, row.cause] as const] : [])));
  const pages: AttentionPage[] = [];
  for (const row of rows) {
    if (row.cause) continue;
    const { askers, items, cause: _, ...page } = row;
    const found = items.map((item) => causeOf(item, causes));
    for (const asker of askers) pages[asker - 1] = { ...page, rows: found };
  }
  return pages;
}

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
