import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Not, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { Problem } from '../../platform/http/problem.js';
import { JournalService, type NewJournalEntry } from '../../platform/journal/journal.service.js';
import { type AuthorType, Comment } from '../comments/comment.entity.js';
import { IssueBatchesRepository } from '../issue-status/issue-batches.repository.js';
import { IssueDependenciesRepository } from '../issue-status/issue-dependencies.repository.js';
import type { LockedIssue } from '../issue-status/issue-row-and-references.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository, type SeenIssue } from '../issue-status/issue.repository.js';
import { IssueParentsService } from '../issues/issue-parents.service.js';
import { IssueUpdateService } from '../issues/issue-update-version-and-event.service.js';
import { IssueLink } from '../links/issue-link.entity.js';
import { IssueLinkRepository } from '../links/issue-link.repository.js';
import { refuseCycle } from '../links/link-cycles.js';
import { IssueLinksService, LINKS_PER_ISSUE } from '../links/links.service.js';
import { GraphLockRepository } from '../projects/projects-members-and-graph-lock.repository.js';
import type { CommentItem, IssueItem, LinkItem } from './formats/import-items.js';
import { digestOf, type ImportJob, isFresh, NOTHING, type Placed } from './import-issues.service.js';
import type { KnownObject, WrittenObject } from './import.entity.js';
import { counted } from './import-schedules-and-code.service.js';
import { ImportRepository, type Outcome } from './import.repository.js';

type Known = ReadonlyMap<string, KnownObject>;

/** The two ends of a link, locked. */
interface Ends {
  source: LockedIssue;
  target: LockedIssue;
}

/** The links that issues of a batch have, and how many. */
interface PresentLinks {
  keys: Set<string>;
  counts: Map<string, number>;
}

/**
 * Links issues of an import, comments on them and assigns them (contract §5.12), when all of them are there: a file may name an issue
 * before the line that makes it. Every rule of a single link or parent holds. What two issues of this import have between them is
 * written without events; with an issue that was there before, as a person would write it.
 */
@Injectable()
export class ImportLinksService {
  constructor(
    private readonly progress: ImportRepository,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    @InjectRepository(IssueLink) private readonly links: IssueLinkRepository,
    @InjectRepository(Comment) private readonly comments: Repository<Comment>,
    private readonly batches: IssueBatchesRepository,
    private readonly dependencies: IssueDependenciesRepository,
    private readonly parents: IssueParentsService,
    private readonly updates: IssueUpdateService,
    private readonly linking: IssueLinksService,
    private readonly graph: GraphLockRepository,
    private readonly journal: JournalService,
  ) {}

  /** Makes the links and comments of a batch. Runs in the transaction that stores the place. */
  async make(job: ImportJob, batch: readonly Placed[]): Promise<Outcome> {
    const links = batch.filter((placed): placed is Placed<LinkItem> => placed.item.kind === 'link');
    const comments = batch.filter((placed): placed is Placed<CommentItem> => placed.item.kind === 'comment');
    const named = new Set([
      ...links.flatMap(({ item }) => [item.source, item.target]),
      ...comments.map(({ item }) => item.issue),
    ]);
    const issues = await this.progress.known(job.project.id, 'issue', [...named]);
    const outcome: Outcome = { ...NOTHING, errors: [] };
    if (links.length > 0) await this.link(job, links, issues, outcome);
    if (comments.length > 0) await this.comment(job, comments, issues, outcome);
    return outcome;
  }

  /** Gives issues that this import has made to the agents that have their names. */
  async assign(job: ImportJob, batch: readonly Placed<IssueItem>[]): Promise<void> {
    const given = batch.flatMap(({ item }) => {
      const agentId = item.agent === null ? null : job.people.get(item.agent)?.agentId;
      return agentId ? [{ item, agentId }] : [];
    });
    if (given.length === 0) return;
    const names = given.map(({ item }) => item.externalId);
    const known = await this.progress.known(job.project.id, 'issue', names);
    const fresh = given.flatMap(({ item, agentId }) => {
      const issue = known.get(item.externalId);
      return issue && isFresh(job, issue) ? [{ id: issue.objectId, agentId }] : [];
    });
    await this.batches.assignImported(fresh);
  }

  private async link(
    job: ImportJob,
    placed: readonly Placed<LinkItem>[],
    known: Known,
    outcome: Outcome,
  ): Promise<void> {
    await this.graph.take();
    const ids = [...known.values()].map(({ objectId }) => objectId);
    const locked = new Map((await this.issues.lockAll(ids)).map((issue) => [issue.id, issue]));
    const present = await this.presentLinks(ids);
    const linked = new Set<string>();
    const places = placesOf(placed);
    for (const { line, item } of placed) {
      if (isInPlace(job, item, known, places)) continue;
      const [source, target] = [item.source, item.target].map((name) =>
        locked.get(known.get(name)?.objectId ?? ''),
      );
      const what = `${item.linkType} from ${item.source} to ${item.target}`;
      const isDone = await counted(outcome, line, what, async () => {
        if (!source || !target) {
          const missing = source ? item.target : item.source;
          throw new Problem('not_found', `${JSON.stringify(missing)} is not in this project`);
        }
        if (source.id === target.id) throw new Problem('not_found', 'it is a link to the issue itself');
        if (present.keys.has(keyOf(item.linkType, source.id, target.id))) return false;
        const isSilent = mayBeSilent(job, item, known, { source, target });
        const isNew = isSilent
          ? await this.linkFresh(item, { source, target }, present)
          : await this.linkPresent(job, item, { source, target });
        if (isNew && isSilent) for (const id of [source.id, target.id]) linked.add(id);
        return isNew;
      });
      if (!isDone && item.linkType === 'Child') places.delete(item.source);
    }
    await this.progress.rememberPlaces(job.row, places);
    if (linked.size > 0) await this.batches.holdImported([...linked]);
  }

  /** @returns whether it was not there already */
  private async linkFresh(item: LinkItem, { source, target }: Ends, present: PresentLinks): Promise<boolean> {
    const { linkType, holdsParent } = item;
    if (linkType === 'Child') {
      // A Closed parent stays closed: its source has closed it with such a child.
      await this.parents.refuse(source, { ...target, status: 'Open' }, holdsParent);
      await this.batches.placeImported(source.id, target.id, holdsParent);
      Object.assign(source, { parentId: target.id, holdsParent });
      return true;
    }
    const isFull = [source, target].some(({ id }) => present.counts.get(id)! >= LINKS_PER_ISSUE);
    if (isFull) throw new Problem('link_limit', `an issue has at most ${LINKS_PER_ISSUE} links`);
    if (linkType === 'Blocks') {
      const isChild = source.parentId === target.id && source.holdsParent;
      if (isChild) throw new Problem('link_exists', 'it is a child that holds its parent already');
      await refuseCycle(this.dependencies, source, target);
    }
    const { createdBy, createdAt } = item;
    await this.links.insert({
      id: uuidv7(),
      sourceIssueId: source.id,
      targetIssueId: target.id,
      linkType,
      createdByType: createdBy.type,
      createdById: null,
      createdByName: createdBy.name,
      ...(createdAt && { createdAt: new Date(createdAt) }),
    });
    present.keys.add(keyOf(linkType, source.id, target.id));
    for (const { id } of [source, target]) present.counts.set(id, present.counts.get(id)! + 1);
    return true;
  }

  /** Reads the links of issues once for all that a batch adds. */
  private async presentLinks(ids: string[]): Promise<PresentLinks> {
    const links = await this.links.findBy({ sourceIssueId: In(ids), ofChild: false });
    const keys = links.map((link) => keyOf(link.linkType, link.sourceIssueId, link.targetIssueId));
    return { keys: new Set(keys), counts: await this.links.countsOf(ids) };
  }

  /** @returns whether it was not there already */
  private async linkPresent(job: ImportJob, item: LinkItem, { source, target }: Ends): Promise<boolean> {
    const { linkType, holdsParent } = item;
    if (linkType === 'Child') {
      if (source.parentId === target.id && source.holdsParent === holdsParent) return false;
      await this.updates.update(job.caller, source.id, { parentId: target.id, holdsParent }, {});
      Object.assign(source, { parentId: target.id, holdsParent });
      return true;
    }
    try {
      const ends = { source: seen(source), target: seen(target), linkType };
      await this.linking.add(job.caller, ends);
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === 'link_exists') return false;
      throw error;
    }
  }

  private async comment(
    job: ImportJob,
    placed: readonly Placed<CommentItem>[],
    issues: Known,
    outcome: Outcome,
  ): Promise<void> {
    const { row, project } = job;
    const last = [...new Map(placed.map((one) => [one.item.externalId, one])).values()];
    const names = last.flatMap(({ item }) => [item.externalId, item.formerId ?? item.externalId]);
    const known = await this.progress.known(project.id, 'comment', names);
    const renamed: WrittenObject[] = [];
    const made: ReturnType<typeof newCommentOf>[] = [];
    const written: WrittenObject[] = [];
    const events: NewJournalEntry[] = [];
    for (const { line, item: given } of last) {
      const { formerId = '', ...item } = given;
      const issue = issues.get(item.issue);
      const present = known.get(item.externalId);
      const digest = digestOf(item);
      if (present?.digest === digest) continue;
      const former = known.get(formerId);
      if (!present && former?.digest === digestOf({ ...item, externalId: formerId })) {
        renamed.push({ ...former, kind: 'comment', externalId: item.externalId, digest });
        continue;
      }
      if (!issue) {
        outcome.errors.push({ line, message: `comment left out: ${item.issue} is not in this project` });
        outcome.skipped += 1;
        continue;
      }
      const id = present?.objectId ?? uuidv7();
      const { externalId } = item;
      written.push({ kind: 'comment', externalId, objectId: id, digest, isMade: !present });
      if (!present) made.push(newCommentOf(id, issue.objectId, item));
      else if (!(await this.rewrite(id, item))) continue;
      outcome[present ? 'updated' : 'created'] += 1;
      if (isFresh(job, issue)) continue;
      const of = { projectId: project.id, issueId: issue.objectId, data: { commentId: id } };
      events.push({
        type: present ? 'comment.updated' : 'comment.created',
        subject: { type: 'comment', id },
        ...of,
      });
    }
    if (made.length > 0) await this.comments.insert(made);
    await this.progress.rename(project.id, renamed);
    await this.progress.remember(row, written);
    await this.journal.record(...events);
  }

  /** @returns whether it was another text */
  private async rewrite(id: string, { content, updatedAt }: CommentItem): Promise<boolean> {
    const { affected } = await this.comments.update(
      { id, content: Not(content) },
      { content, updatedAt: updatedAt ? new Date(updatedAt) : () => 'now()' },
    );
    return affected === 1;
  }
}

/** What the lines of a batch say of whose part each issue is: a record of Beads may name several parents. */
function placesOf(placed: readonly Placed<LinkItem>[]): Map<string, string> {
  const places = new Map<string, string>();
  for (const { item } of placed)
    if (item.linkType === 'Child')
      places.set(item.source, [places.get(item.source) ?? [], digestOf(item)].flat().join());
  return places;
}

/** Whether the source says of a part what it has said before, so that it stays where a person has put it since. */
function isInPlace(job: ImportJob, item: LinkItem, known: Known, places: ReadonlyMap<string, string>) {
  const [part, whole] = [known.get(item.source), known.get(item.target)];
  const isOld = part && whole && !isFresh(job, part) && !isFresh(job, whole);
  return item.linkType === 'Child' && isOld && part.place === places.get(item.source);
}

/**
 * Whether nobody needs to hear of a link. People see issues from the first pass on: one that they have given to an agent may have a lease
 * that the link ends. An issue that gets another parent may unblock the first one.
 */
function mayBeSilent(job: ImportJob, item: LinkItem, known: Known, { source, target }: Ends): boolean {
  const isOwn = [item.source, item.target].every((name) => isFresh(job, known.get(name)));
  const isFree = source.assignedAgentId === null && target.assignedAgentId === null;
  return isOwn && isFree && (item.linkType !== 'Child' || source.parentId === null);
}

function newCommentOf(id: string, issueId: string, item: CommentItem) {
  const { content, createdBy, createdAt, updatedAt } = item;
  const at = createdAt ?? updatedAt;
  return {
    id,
    issueId,
    content,
    authorType: AUTHORS[createdBy.type],
    authorId: null,
    authorName: createdBy.name,
    ...(at && { createdAt: new Date(at), updatedAt: new Date(updatedAt ?? at) }),
  };
}

const AUTHORS: Record<'user' | 'agent' | 'system', AuthorType> = {
  user: 'User',
  agent: 'Agent',
  system: 'System',
};

/** RelatedTo has no direction. */
const keyOf = (linkType: string, source: string, target: string) =>
  [linkType, ...(linkType === 'RelatedTo' ? [source, target].toSorted() : [source, target])].join(' ');

/** The importing person writes in the project: no rule of a link asks for more than where its issues are. */
const seen = (issue: LockedIssue) => issue as unknown as SeenIssue;
