import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { TryAgain } from '../../platform/database/transactions.service.js';
import { JournalService, SYSTEM } from '../../platform/journal/journal.service.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository } from '../issue-status/issue.repository.js';
import { issueNumbersIn } from './code-addresses-and-keys.js';
import { CodeChangesService, entryOf } from './code-links.service.js';
import type { CodeNews, ItemNews } from './code-news.js';
import { CodeRepository, type PlacedCode } from './code.repository.js';

/** The most issues that one delivery names (contract §5.13): a text with a thousand keys is no reference to any. */
const KEYS_PER_DELIVERY = 50;

/** The repository of a project that a delivery reports on. */
export interface ReportedRepository {
  projectId: string;
  projectKey: string;
  /** Its address. */
  repository: string;
}

/** Writes what a delivery reports. */
@Injectable()
export class DeliveryApplicationService {
  constructor(
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly code: CodeRepository,
    private readonly changes: CodeChangesService,
    private readonly journal: JournalService,
  ) {}

  /** Runs in the transaction of the delivery. */
  async write(
    { projectId, projectKey, repository }: ReportedRepository,
    { items: reported, checks }: CodeNews,
  ): Promise<void> {
    const named = keysOf(reported, projectKey);
    const items = await this.worthKeeping(projectId, reported, named);
    const urls = items.map(({ url }) => url);
    const shas = [...new Set([...checks, ...items].flatMap((one) => ('sha' in one ? one.sha : [])))];
    const numbers = [...new Set(named.map(({ number }) => number))];
    const ids = await this.code.issuesNumbered(projectId, numbers);
    const touched = () => this.code.linksOf(projectId, repository, urls, shas);
    const linked = (await touched()).map(({ issueId }) => issueId);
    const locked = await this.issues.lockAll([...new Set([...linked, ...ids.values()])]);
    const isLocked = new Set(locked.map(({ id }) => id));
    const before = new Map((await touched()).map((link) => [link.id, link]));
    await this.code.storeChecks(projectId, repository, checks);
    await this.code.storeItems(projectId, repository, items);
    for (const { number, url, counts } of named) {
      const issueId = ids.get(number);
      if (issueId !== undefined && isLocked.has(issueId))
        await this.code.link(issueId, projectId, url, counts, SYSTEM);
    }
    await this.code.settleChecks(projectId, repository, urls, shas);
    const after = await touched();
    // A person has linked one of the items meanwhile. The lock of that issue must come first, so start again.
    if (after.some(({ issueId }) => !isLocked.has(issueId))) throw new TryAgain();
    await this.report(before, after);
  }

  /** Records what changed, and says so to the gates of the issues. */
  private async report(before: ReadonlyMap<string, PlacedCode>, after: PlacedCode[]): Promise<void> {
    const changed = after.filter((link) => isOtherThan(link, before.get(link.id)));
    await this.journal.record(
      ...changed.map((link) => entryOf(before.has(link.id) ? 'code.updated' : 'code.linked', link)),
    );
    for (const issueId of new Set(changed.map((link) => link.issueId))) {
      const ended = changed.filter((link) => link.issueId === issueId && hasEnded(link, before.get(link.id)));
      await this.changes.changed({ issueId, ended: ended.map(({ id }) => id), removed: null });
    }
  }

  /** A pull request is kept before any issue has it; of branches and commits only what an issue has or gets. */
  private async worthKeeping(
    projectId: string,
    reported: ItemNews[],
    named: NamedIssue[],
  ): Promise<ItemNews[]> {
    const byUrl = new Map(reported.map((item) => [item.url, item]));
    const known = await this.code.knownUrls(projectId, [...byUrl.keys()]);
    for (const { url } of named) known.add(url);
    return [...byUrl.values()].filter(({ kind, url }) => kind === 'pull_request' || known.has(url));
  }
}

/** An issue that an item names. */
interface NamedIssue {
  number: number;
  url: string;
  counts: boolean;
}

/** Finds the keys in what a delivery reports. A link counts where people who may write in the repository wrote the key. */
function keysOf(items: ItemNews[], projectKey: string): NamedIssue[] {
  const found = items.flatMap(({ url, branch, texts, trusted }) => {
    const counts = new Map<number, boolean>();
    const add = (numbers: number[], isTrusted: boolean) => {
      for (const number of numbers) counts.set(number, isTrusted || counts.get(number) === true);
    };
    add(issueNumbersIn(branch ?? '', projectKey, { anyCase: true }), trusted.branch);
    for (const text of texts) add(issueNumbersIn(text, projectKey, { anyCase: false }), trusted.texts);
    return [...counts].map(([number, isTrusted]) => ({ number, url, counts: isTrusted }));
  });
  return found.slice(0, KEYS_PER_DELIVERY);
}

function isOtherThan(link: PlacedCode, before: PlacedCode | undefined): boolean {
  return (
    !before ||
    link.state !== before.state ||
    link.checks !== before.checks ||
    link.title !== before.title ||
    link.counts !== before.counts
  );
}

function hasEnded({ state }: PlacedCode, before: PlacedCode | undefined): boolean {
  const isOver = state === 'merged' || state === 'closed';
  return isOver && (before?.state === 'open' || before?.state === 'draft');
}
