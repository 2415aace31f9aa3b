import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { Problem } from '../../platform/http/problem.js';
import { GoalsService } from '../goals/goals.service.js';
import { type ImportedIssue, IssueBatchesRepository } from '../issue-status/issue-batches.repository.js';
import type { LabelRow } from '../issue-status/issue-row-and-references.js';
import { isUnresolved, priorityNumber, type Status } from '../issue-status/issue-status.js';
import type { UpdateIssueRequest } from '../issues/issue.request.js';
import { IssueUpdateService } from '../issues/issue-update-version-and-event.service.js';
import { Label } from '../labels/label.entity.js';
import { LabelRepository } from '../labels/label.repository.js';
import { LabelNameTaken, LabelsService } from '../labels/labels.service.js';
import { NewIssueLabelsService } from '../labels/label-lookup-and-differences.service.js';
import type { SeenProject } from '../projects/projects-members-and-graph-lock.repository.js';
import type { GoalItem, ImportItem, IssueItem, LabelItem } from './formats/import-items.js';
import { Import, type KnownObject, WrittenObject } from './import.entity.js';
import { ImportRepository, type Outcome } from './import.repository.js';

/** A running import: on whose behalf, into which project, and what it has looked up. */
export interface ImportJob {
  row: Import;
  caller: UserPrincipal;
  project: SeenProject;
  /** By name in lower case; null where the project can have no such label. */
  labels: Map<string, LabelRow | null>;
  people: Map<string, { agentId: string | null; userId: string | null }>;
}

/** An item with the line of the file that it is from. */
export interface Placed<Item extends ImportItem = ImportItem> {
  line: number;
  item: Item;
}

export const NOTHING: Readonly<Outcome> = { created: 0, updated: 0, skipped: 0, errors: [] };

/** Returns what tells two states of an object apart at its source. */
export function digestOf(item: ImportItem): string {
  return createHash('sha256').update(JSON.stringify(item)).digest('base64url');
}

/** Whether this import has made the row, so that no event of it has been written. */
export const isFresh = ({ row }: ImportJob, known: KnownObject | undefined) =>
  known !== undefined && known.isMade && known.importId === row.id;

/**
 * Makes and updates goals, labels and issues of an import (contract §5.12). What is new is written many at a time and without events of
 * its own. What exists is changed as a person would change it, one by one, each in a transaction with the digest that
 * keeps a repetition from doing it again.
 */
@Injectable()
export class ImportIssuesService {
  constructor(
    private readonly progress: ImportRepository,
    private readonly goals: GoalsService,
    private readonly labels: LabelsService,
    @InjectRepository(Label) private readonly labelRows: LabelRepository,
    private readonly issueLabels: NewIssueLabelsService,
    private readonly batches: IssueBatchesRepository,
    private readonly updates: IssueUpdateService,
    private readonly transactions: TransactionsService,
  ) {}

  /**
   * Does what must be done before the transaction of the batch: goals, labels, and changes of what exists.
   * @returns null where the process stops
   */
  async prepare(
    job: ImportJob,
    { items, isLast }: { items: readonly Placed[]; isLast: boolean },
    mayGoOn: () => Promise<boolean>,
  ): Promise<Outcome | null> {
    const outcome: Outcome = { ...NOTHING, errors: [] };
    for (const placed of items) {
      if (placed.item.kind === 'goal') await this.putGoal(job, placed.item);
      if (placed.item.kind === 'label') await this.putLabel(job, placed as Placed<LabelItem>, outcome);
    }
    const issues = lastOfEach(issuesIn(items));
    const names = issues.map(({ item }) => item.externalId);
    const known = await this.progress.known(job.project.id, 'issue', names);
    for (const { line, item } of issues) {
      const present = known.get(item.externalId);
      if (present && isWritten(job, present, digestOf(item))) continue;
      for (const name of item.labels)
        await this.putLabel(job, { line, item: { kind: 'label', name } }, outcome);
      if (present) await this.change(job, line, item, present, outcome);
    }
    return isLast && !(await this.endLate(job, outcome, mayGoOn)) ? null : outcome;
  }

  /** Makes the issues of a batch that are not there. Runs in the transaction that stores the place. */
  async make(job: ImportJob, batch: readonly Placed[]): Promise<Outcome> {
    const issues = lastOfEach(issuesIn(batch));
    if (issues.length === 0) return NOTHING;
    const { row, project } = job;
    const names = issues.map(({ item }) => item.externalId);
    const known = await this.progress.known(project.id, 'issue', names);
    const fresh = issues.filter(({ item }) => !known.has(item.externalId));
    if (fresh.length === 0) return NOTHING;
    const goals = fresh.flatMap(({ item }) => item.goal ?? []);
    const goalIds = await this.progress.known(project.id, 'goal', goals);
    const made = fresh.map(({ item }) => {
      const labels = labelsOf(job, item);
      const goalId = goalIds.get(item.goal ?? '')?.objectId ?? null;
      return { item, labels, issue: newIssueOf(job, item, goalId, labels.length) };
    });
    const rows = made.map(({ issue }) => issue);
    await this.batches.addImported(project.id, rows);
    await this.issueLabels.add(made.map(({ issue, labels }) => ({ issueId: issue.id, labels })));
    await this.progress.remember(
      row,
      made.map(({ item, issue }) => ({
        kind: 'issue',
        externalId: item.externalId,
        objectId: issue.id,
        digest: digestOf(item),
        isMade: true,
      })),
    );
    return { ...NOTHING, created: made.length };
  }

  private async putGoal(job: ImportJob, item: GoalItem): Promise<void> {
    const { row, project, caller } = job;
    const { title, description, externalId } = item;
    const digest = digestOf(item);
    const known = (await this.progress.known(project.id, 'goal', [externalId])).get(externalId);
    if (known?.digest === digest) return;
    await this.transactions.run(async () => {
      const goal = known
        ? await this.goals.update(caller, known.objectId, { title, description })
        : await this.goals.create(project, { title, description });
      const isMade = !known;
      await this.progress.remember(row, [{ kind: 'goal', externalId, objectId: goal.id, digest, isMade }]);
      const counts = isMade ? { created: 1 } : { updated: 1 };
      await this.progress.advance(row, null, 0, { ...NOTHING, ...counts });
    });
  }

  /** A label that exists stays as it is. */
  private async putLabel(job: ImportJob, { line, item }: Placed<LabelItem>, outcome: Outcome): Promise<void> {
    const name = item.name.toLowerCase();
    if (!job.labels.has(name)) job.labels.set(name, await this.findOrMakeLabel(job, item));
    if (job.labels.get(name) !== null) return;
    outcome.errors.push({
      line,
      message: `label ${JSON.stringify(item.name)} left out: the project has too many`,
    });
  }

  private async findOrMakeLabel(job: ImportJob, item: LabelItem): Promise<LabelRow | null> {
    const { name, color, description } = item;
    const [present] = await this.labelRows.named(job.project.id, [name], false);
    if (present) return present;
    try {
      return await this.transactions.run(async () => {
        const made = await this.labels.create(job.project, { name, color, description });
        await this.progress.advance(job.row, null, 0, { ...NOTHING, created: 1 });
        return made;
      });
    } catch (error) {
      // Another request has just made it.
      if (error instanceof LabelNameTaken)
        return (await this.labelRows.named(job.project.id, [name], false))[0] ?? null;
      if (error instanceof Problem && error.code === 'label_limit') return null;
      throw error;
    }
  }

  /**
   * Updates an issue that an earlier import has made: its texts, priority, goal and labels, and its end where it has ended at its source.
   * It is never reopened or given to another one. Where its end waits for what it blocks or is made of, which may come later in the file,
   * the rest is written, and how it ends is stored.
   */
  private async change(
    job: ImportJob,
    line: number,
    item: IssueItem,
    known: KnownObject,
    outcome: Outcome,
  ): Promise<void> {
    const goal = item.goal && (await this.progress.known(job.project.id, 'goal', [item.goal])).get(item.goal);
    const labels = labelsOf(job, item).map(({ id }) => id);
    const { title, description, priority, externalId } = item;
    const fields = { title, description, priority, goalId: goal ? goal.objectId : null, labels };
    const hasEnded = !isUnresolved(item.status) && isUnresolved(known.status as Status);
    const digest = digestOf(item);
    try {
      const whole = hasEnded ? { ...fields, status: item.status } : fields;
      await this.write(job, known, whole, { digest }).catch((error: unknown) => {
        if (!waitsForOthers(error)) throw error;
        return this.write(job, known, fields, { digest, late: { line, status: item.status } });
      });
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      outcome.errors.push({ line, message: `${externalId} is not updated: ${error.detail}` });
      outcome.skipped += 1;
    }
  }

  private write(
    { row, caller }: ImportJob,
    { externalId, objectId }: Pick<KnownObject, 'externalId' | 'objectId'>,
    request: UpdateIssueRequest,
    said: Pick<WrittenObject, 'digest' | 'late'>,
    updated = 1,
  ): Promise<void> {
    return this.transactions.run(async () => {
      await this.updates.update(caller, objectId, request, {});
      await this.progress.remember(row, [{ kind: 'issue', externalId, objectId, isMade: false, ...said }]);
      await this.progress.advance(row, null, 0, { ...NOTHING, updated });
    });
  }

  /**
   * Ends what had to wait, from the last line up and back, until no more of it can end. The rest is in the report that the last batch stores,
   * and the next import tries again.
   * @returns false where the process stops
   */
  private async endLate(job: ImportJob, outcome: Outcome, mayGoOn: () => Promise<boolean>): Promise<boolean> {
    let waiting = (await this.progress.late(job.row)).toReversed();
    const reasons = new Map<string, { line: number; message: string }>();
    for (let before = Infinity; waiting.length < before; waiting.reverse()) {
      before = waiting.length;
      reasons.clear();
      for (const one of waiting) {
        if (!(await mayGoOn())) return false;
        const { line, externalId, status, digest } = one;
        await this.write(job, one, { status }, { digest }, 0).catch((error: unknown) => {
          if (!(error instanceof Problem) || error.status >= 500) throw error;
          reasons.set(externalId, { line, message: `${externalId} has not ended: ${error.detail}` });
        });
      }
      waiting = waiting.filter(({ externalId }) => reasons.has(externalId));
    }
    outcome.errors.push(...reasons.values());
    return true;
  }
}

/** Whether an issue is as its source says, up to an end that this import tries again. */
const isWritten = ({ row }: ImportJob, known: KnownObject, digest: string) =>
  known.digest === digest && (known.lateStatus === null || known.importId === row.id);

const waitsForOthers = (error: unknown) =>
  error instanceof Problem && ['open_dependents', 'open_children'].includes(error.code);

const issuesIn = (batch: readonly Placed[]) =>
  batch.filter((placed): placed is Placed<IssueItem> => placed.item.kind === 'issue');

/** Each once: two names that JavaScript tells apart may be one to the database. */
function labelsOf({ labels }: ImportJob, item: IssueItem): LabelRow[] {
  const named = item.labels.flatMap((name) => labels.get(name.toLowerCase()) ?? []);
  return [...new Map(named.map((label) => [label.id, label])).values()];
}

/** An id that is there twice is one issue, as its last line says. */
function lastOfEach(issues: readonly Placed<IssueItem>[]): Placed<IssueItem>[] {
  return [...new Map(issues.map((placed) => [placed.item.externalId, placed])).values()];
}

/** Work that an agent had begun elsewhere begins again, because it has no lease here. */
function newIssueOf(
  { project, people }: ImportJob,
  item: IssueItem,
  goalId: string | null,
  labelCount: number,
): ImportedIssue {
  const isWithAgent = item.agent !== null && people.get(item.agent)?.agentId;
  const status = item.status === 'InProgress' && isWithAgent ? 'Open' : item.status;
  const { title, description, createdBy, createdAt, updatedAt, startedAt, resolvedAt, closedAt } = item;
  return {
    id: uuidv7(),
    projectId: project.id,
    title,
    description,
    status,
    paused: item.paused && status === 'Open',
    priority: priorityNumber(item.priority),
    assignedAgentId: null,
    assigneeUserId: (item.assignee !== null && people.get(item.assignee)?.userId) || null,
    goalId,
    parentId: null,
    holdsParent: true,
    labelCount,
    createdBy: { type: createdBy.type, id: null, name: createdBy.name },
    authorType: createdBy.type,
    authorName: createdBy.name,
    createdAt,
    updatedAt,
    startedAt,
    resolvedAt: isUnresolved(status) ? null : resolvedAt,
    closedAt: status === 'Closed' ? closedAt : null,
  };
}
