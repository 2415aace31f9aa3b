import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { User } from '../../platform/authentication/authentication.entities.js';
import {
  inBackground,
  type Principal,
  type UserPrincipal,
} from '../../platform/authentication/principals-and-roles.js';
import type { UserRepository } from '../../platform/authentication/user.repository.js';
import { NotFound, Problem, ValidationFailed } from '../../platform/http/problem.js';
import { codePointsIn } from '../../platform/http/text-and-instant-rules.js';
import type { Actor } from '../../platform/journal/journal.service.js';
import { isUnresolved } from '../issue-status/issue-status.js';
import { Issue } from '../issue-status/issue.entity.js';
import type { IssueRepository } from '../issue-status/issue.repository.js';
import { IssuesService } from '../issues/issue-pausing-closing-deletion.service.js';
import { textOf } from '../labels/label-lookup-and-differences.service.js';
import type { PlannedIssueRequest } from '../plans/plan.dto.js';
import { type PlannedIssue, PlansService } from '../plans/plans.service.js';
import type { SeenProject } from '../projects/projects-members-and-graph-lock.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import { DueTimes } from './due-times.js';
import type { IssueTemplateRequest } from './schedule.dto.js';
import type { IssueTemplate, Schedule } from './schedule.entity.js';

const MOST_TITLE = 500;
const MOST_DESCRIPTION = 65_536;
/** The longest values of the placeholders: a template that fits with them always does. */
const LONGEST = { date: '9999-12-31', time: '23:59', number: String(2 ** 31) };

/** The ref of the one issue in its plan. It has the form of no id and no key. */
const REF = 'template';

/** 403: the rights of the last editor do not suffice any more. */
export class EditorRightsLost extends Problem {
  constructor(name: string) {
    super(
      'forbidden',
      `${name}, who changed the schedule last, may not create issues in this project any more. Another Editor has to save it.`,
    );
  }
}

/** Creates the issues of schedules, each as the one issue of a plan (contract §5.11). */
@Injectable()
export class ScheduledIssuesService {
  constructor(
    private readonly plans: PlansService,
    private readonly projects: ProjectsService,
    private readonly closing: IssuesService,
    @InjectRepository(Issue) private readonly issues: IssueRepository,
    @InjectRepository(User) private readonly users: UserRepository,
  ) {}

  /**
   * Returns the caller that a schedule creates its issues as: the user who changed it last, with the rights that this user
   * has now and the key had then. The records name the schedule.
   * @throws {EditorRightsLost} for a disabled user
   */
  async authorOf({ id, name, editorId, editorCap }: Schedule): Promise<UserPrincipal> {
    const user = await this.users.findOneByOrFail({ id: editorId });
    if (user.disabledAt) throw new EditorRightsLost(user.name);
    return { ...inBackground(user, editorCap), recordedAs: actorOf({ id, name }) };
  }

  /** @throws {EditorRightsLost} where the user does not see the project, or is no Editor there */
  async projectOf(author: UserPrincipal, projectId: string): Promise<SeenProject> {
    try {
      return await this.projects.get(author, projectId, 'Editor');
    } catch (error) {
      throw error instanceof Problem && error.status < 500 ? new EditorRightsLost(author.name) : error;
    }
  }

  /** Returns the last issue of a schedule where that is not finished yet. */
  async unresolvedOf({ lastIssueId }: Pick<Schedule, 'lastIssueId'>): Promise<string | null> {
    if (lastIssueId === null) return null;
    const issue = await this.issues.read(lastIssueId);
    return issue && isUnresolved(issue.status) ? issue.id : null;
  }

  /**
   * Creates the next issue of a schedule whose row the transaction holds. With `replace` the last one is closed first.
   * @param at the instant of `{{date}}` and `{{time}}`
   */
  async create(caller: Principal, project: SeenProject, schedule: Schedule, at: Date): Promise<PlannedIssue> {
    const unresolved = schedule.policy === 'replace' ? await this.unresolvedOf(schedule) : null;
    if (unresolved) await this.close(caller, unresolved);
    const values = {
      ...new DueTimes(schedule.cron, schedule.timeZone).local(at),
      number: String(schedule.issues + 1),
    };
    const [issue] = await atTemplate(
      this.plans.create(caller, project, [planned(schedule.template, values)]),
    );
    return issue!;
  }

  /**
   * Returns the next issue as it would be created, and rejects a template from which none can be created now.
   * @throws {Problem} with the places of the template
   */
  async check(
    caller: Principal,
    project: SeenProject,
    template: IssueTemplate,
    values: Omit<typeof LONGEST, 'number'> & { number: number },
  ): Promise<Pick<PlannedIssueRequest, 'title' | 'description'> & Pick<PlannedIssue, 'status'>> {
    refuseTooLong(planned(template, LONGEST));
    const issue = planned(template, { ...values, number: String(values.number) });
    const { issues } = await atTemplate(this.plans.check(caller, project, [issue]));
    return { title: issue.title, description: issue.description, status: issues[0]!.status };
  }

  /** An issue that was deleted meanwhile needs no closing. */
  private async close(caller: Principal, id: string): Promise<void> {
    try {
      await this.closing.close(caller, id, true, undefined);
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
    }
  }
}

/** The actor of what a schedule does by itself. */
export function actorOf({ id, name }: Pick<Schedule, 'id' | 'name'>): Actor {
  return { type: 'system', id, name: `Schedule ${name}` };
}

/** Returns a template with all of its fields. */
export function templateOf(request: IssueTemplateRequest): IssueTemplate {
  const { title, description, labels, blockedBy, holdsParent = true, priority = 'none' } = request;
  const { assignedAgentId, assigneeUserId, goalId, parent } = request;
  return {
    title,
    description: description ?? '',
    assignedAgentId: assignedAgentId ?? null,
    assigneeUserId: assigneeUserId ?? null,
    goalId: goalId ?? null,
    labels: textsAmong('labels', labels ?? [], textOf),
    priority,
    parent: parent ?? null,
    holdsParent,
    blockedBy: textsAmong('blockedBy', blockedBy ?? [], (value) =>
      typeof value === 'string' ? value : null,
    ),
  };
}

function textsAmong(
  field: string,
  values: readonly unknown[],
  textIn: (value: unknown) => string | null,
): string[] {
  const texts = values.map(textIn);
  const errors = texts.flatMap((text, at) =>
    text === null ? [{ path: `template.${field}[${at}]`, message: 'must be text' }] : [],
  );
  if (errors.length > 0) throw new ValidationFailed(errors);
  return texts.filter((text) => text !== null);
}

function planned(template: IssueTemplate, values: typeof LONGEST): PlannedIssueRequest {
  const filled = (text: string) =>
    text.replaceAll(/\{\{(date|time|number)\}\}/g, (_, name: keyof typeof values) => values[name]);
  return {
    ...template,
    ref: REF,
    title: filled(template.title),
    description: filled(template.description),
  };
}

/** A placeholder is shorter or longer than what takes its place. */
function refuseTooLong({ title, description }: PlannedIssueRequest): void {
  const errors = [];
  if (codePointsIn(title) > MOST_TITLE)
    errors.push({
      path: 'template.title',
      message: `must have at most ${MOST_TITLE} characters when it is filled in`,
    });
  if (Buffer.byteLength(description ?? '') > MOST_DESCRIPTION)
    errors.push({
      path: 'template.description',
      message: `must have at most ${MOST_DESCRIPTION} bytes of UTF-8 when it is filled in`,
    });
  if (errors.length > 0) throw new ValidationFailed(errors);
}

/** Names the places of the template in the refusal of a plan. */
async function atTemplate<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors) throw error;
    const { code, detail, members, headers } = error;
    const errors = error.errors.map(({ path, message }) => ({
      path: path.replace(/^issues(?:\[0\]\.)?/, path === 'issues' ? 'template' : 'template.'),
      message,
    }));
    throw code === 'validation_failed'
      ? new ValidationFailed(errors)
      : new Problem(code, detail, { errors, members, headers });
  }
}
