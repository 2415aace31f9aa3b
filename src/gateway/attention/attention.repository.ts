import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import type { Status } from '../../work/issue-status/issue-status.js';
import { heartbeatIntervalSeconds } from '../../work/leases/leases.service.js';
import type { AttentionKind, Position } from './attention-kinds.js';
import type { UsedBudget } from './near-limits.js';
import { pagesSql } from './attention-pages-and-counts-sql.js';

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
  } | null;
  apiKey: { id: string; name: string; userId: string | null; expiresAt: string } | null;
  webhook: { id: string; url: string; reason: 'gone' | 'not_found' } | null;
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
}

/** Who asks for which page; `rank` and `cap` are those of the user's key. */
export interface Asker {
  id: string;
  rank: number;
  cap: number;
  limit: number;
  after: Position | null;
}

export interface AttentionPage {
  rows: CauseRow[];
  counts: Partial<Record<AttentionKind, number>>;
  /** Whether more rows were asked for than its bytes admit. */
  cut: boolean;
}

type Item = [ids: number[], issues: number, rank: number | null];
type Row =
  | { askers: number[]; counts: AttentionPage['counts']; items: Item[]; cut: boolean; cause: null }
  | { id: number; cause: CauseFacts & { idle: string[] } };

/** All pages of one statement have at most the bytes of this many. */
const PAGES_AT_ONCE = 4;
/** An agent with a lease is silent after so many intervals without a heartbeat (contract §8.7). */
const SILENT_INTERVALS = 3;

const SQL = { all: pagesSql(false), filtered: pagesSql(true) };

/** Finds what needs a person. One statement reads the pages of all who ask, whatever the number of causes. */
@Injectable()
export class AttentionRepository {
  constructor(
    @InjectDataSource() private readonly source: DataSource,
    private readonly settings: Settings,
  ) {}

  /**
   * @param projectId limits it to what has this project; null for all
   * @param among the number of pages that are held together
   * @returns the pages in the order of `askers`
   */
  async pages(askers: Asker[], projectId: string | null, among: number): Promise<AttentionPage[]> {
    const { leaseSeconds, maxAttempts, limits } = this.settings;
    const after = (place: number) => askers.map((asker) => asker.after?.[place] ?? null);
    const rows = await this.source.query<Row[]>(projectId === null ? SQL.all : SQL.filtered, [
      ...(['id', 'rank', 'cap', 'limit'] as const).map((name) => askers.map((asker) => asker[name])),
      ...[0, 1, 2, 3].map(after),
      maxAttempts,
      leaseSeconds,
      projectId ?? SILENT_INTERVALS * heartbeatIntervalSeconds(leaseSeconds),
      Math.floor(limits.pageMaxBytes * Math.min(1, PAGES_AT_ONCE / among)),
    ]);
    return pagesOf(rows);
  }
}

function pagesOf(rows: Row[]): AttentionPage[] {
  const causes = new Map(rows.flatMap((row) => (row.cause ? [[row.id, row.cause] as const] : [])));
  const pages: AttentionPage[] = [];
  for (const row of rows) {
    if (row.cause) continue;
    const found = row.items.map(([ids, issues, rank]) => {
      const parts = ids.map((id) => causes.get(id)!);
      const { idle: _, ...facts } = parts[0]!;
      return { ...facts, issues, rank, agents: new Set(parts.flatMap(({ idle }) => idle)).size };
    });
    for (const asker of row.askers) pages[asker - 1] = { counts: row.counts, rows: found, cut: row.cut };
  }
  return pages;
}
