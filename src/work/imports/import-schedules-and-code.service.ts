import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Problem } from '../../platform/http/problem.js';
import { codeAddressOf } from '../code/code-addresses-and-keys.js';
import { CodeLinksService } from '../code/code-links.service.js';
import { CODE_PER_ISSUE, CodeRepository } from '../code/code.repository.js';
import { Issue } from '../issue-status/issue.entity.js';
import { IssueRepository } from '../issue-status/issue.repository.js';
import type { CreateScheduleRequest } from '../schedules/schedule.dto.js';
import { SchedulesService } from '../schedules/schedules.service.js';
import type { CodeItem, ScheduleItem } from './formats/import-items.js';
import { type ImportJob, isFresh, NOTHING, type Placed } from './import-issues.service.js';
import type { KnownObject } from './import.entity.js';
import { ImportRepository, type Outcome } from './import.repository.js';

type Known = ReadonlyMap<string, KnownObject>;

/** The longest cron expression that a request may have, too. */
const MOST_CRON = 200;

/**
 * Makes the schedules of an import, and links code to its issues (contract §5.12), when all issues are there. Both run in the
 * transaction that stores the place. What is there already stays as it is: code by its address, a schedule by its name.
 */
@Injectable()
export class ImportSchedulesAndCodeService {
  constructor(
    private readonly progress: ImportRepository,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    private readonly code: CodeRepository,
    private readonly codeLinks: CodeLinksService,
    private readonly schedules: SchedulesService,
  ) {}

  async make(job: ImportJob, batch: readonly Placed[]): Promise<Outcome> {
    const code = batch.filter((placed): placed is Placed<CodeItem> => placed.item.kind === 'code');
    const schedules = batch.filter(
      (placed): placed is Placed<ScheduleItem> => placed.item.kind === 'schedule',
    );
    if (code.length + schedules.length === 0) return NOTHING;
    const named = schedules.flatMap(({ item: { template } }) => [
      ...template.blockedBy,
      template.parent ?? [],
    ]);
    const issues = await this.progress.known(job.project.id, 'issue', [
      ...code.map(({ item }) => item.issue),
      ...named.flat(),
    ]);
    const goals = schedules.flatMap(({ item }) => item.template.goal ?? []);
    const knownGoals = await this.progress.known(job.project.id, 'goal', goals);
    const outcome: Outcome = { ...NOTHING, errors: [] };
    if (code.length > 0) await this.issues.lockAll([...issues.values()].map(({ objectId }) => objectId));
    for (const { line, item } of code)
      await counted(outcome, line, `${item.url} of ${item.issue}`, () => this.link(job, item, issues));
    for (const { line, item } of schedules)
      await counted(outcome, line, `schedule ${JSON.stringify(item.name)}`, () =>
        this.schedule(job, item, issues, knownGoals),
      );
    return outcome;
  }

  /** @returns whether it was not linked already */
  private async link(job: ImportJob, item: CodeItem, issues: Known): Promise<boolean> {
    const issue = issues.get(item.issue);
    if (!issue) throw new Problem('not_found', `${JSON.stringify(item.issue)} is not in this project`);
    const address = codeAddressOf(item.url);
    if (!address) throw new Problem('not_found', 'it is no address of GitHub, GitLab or Gitea');
    const { project } = job;
    const { kind, url, repository } = address;
    const { title, state, author, counts, createdAt } = item;
    await this.code.addItem({ projectId: project.id, kind, url, repository, title, state, author });
    // Gates look only at links that count, and the journal names those that are made where an issue was before.
    if (counts && !isFresh(job, issue)) return this.linkPresent(job, issue.objectId, url);
    const by = { ...item.createdBy, id: null };
    const isNew = await this.code.link(issue.objectId, project.id, url, counts, by, createdAt);
    if (isNew === null)
      throw new Problem(
        'link_limit',
        `an issue has at most ${CODE_PER_ISSUE} branches, commits and pull requests`,
      );
    return isNew;
  }

  private async linkPresent(job: ImportJob, issueId: string, url: string): Promise<boolean> {
    if ((await this.code.ofIssue(issueId)).some((link) => link.url === url && link.counts)) return false;
    const seen = await this.issues.findSeen(job.caller, issueId);
    if (!seen) throw new Problem('not_found', 'its issue is not in this project any more');
    await this.codeLinks.add(job.caller, seen, url);
    return true;
  }

  /**
   * A schedule is made disabled: a file must not make its reader create issues from then on.
   * @returns whether there was none of its name
   */
  private async schedule(job: ImportJob, item: ScheduleItem, issues: Known, goals: Known): Promise<boolean> {
    const { caller, project, people } = job;
    const { name, cron, timeZone, policy, template } = item;
    if (cron.length > MOST_CRON) throw new Problem('validation_failed', 'its cron expression is too long');
    if (await this.schedules.hasNamed(project, name)) return false;
    const idOf = (externalId: string) => {
      const found = issues.get(externalId);
      if (found) return found.objectId;
      throw new Problem('not_found', `${JSON.stringify(externalId)} is not in this project`);
    };
    const request: CreateScheduleRequest = {
      ...{ name, cron, timeZone, policy, enabled: false },
      template: {
        title: template.title,
        description: template.description,
        priority: template.priority,
        assignedAgentId: people.get(template.agent ?? '')?.agentId ?? null,
        assigneeUserId: people.get(template.assignee ?? '')?.userId ?? null,
        goalId: goals.get(template.goal ?? '')?.objectId ?? null,
        labels: template.labels,
        parent: template.parent === null ? null : idOf(template.parent),
        holdsParent: template.holdsParent,
        blockedBy: template.blockedBy.map(idOf),
      },
    };
    await this.schedules.create(caller, project, request);
    return true;
  }
}

/**
 * Counts what was made, and reports what a rule does not admit.
 * @returns whether it is there now
 */
export async function counted(
  outcome: Outcome,
  line: number,
  what: string,
  make: () => Promise<boolean>,
): Promise<boolean> {
  try {
    if (await make()) outcome.created += 1;
    return true;
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error;
    const reasons = error.errors?.map(({ path, message }) => `${path} ${message}`).join('; ');
    outcome.errors.push({ line, message: `${what} left out: ${reasons ?? error.detail}` });
    outcome.skipped += 1;
    return false;
  }
}
