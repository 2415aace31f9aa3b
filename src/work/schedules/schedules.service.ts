import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Principal, Role, UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { NotFound, Problem } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import type { PlannedIssue } from '../plans/plans.service.js';
import { Project } from '../projects/project.entity.js';
import {
  ProjectRepository,
  type SeenProject,
} from '../projects/projects-members-and-graph-lock.repository.js';
import { ProjectsService } from '../projects/projects.service.js';
import { requireRole } from '../projects/visibility.js';
import { DueTimes, normalized } from './due-times.js';
import type { CheckedIssueResponse, CreateScheduleRequest, UpdateScheduleRequest } from './schedule.dto.js';
import { Schedule } from './schedule.entity.js';
import { type ReadSchedule, ScheduleRepository, type SeenSchedule } from './schedule.repository.js';
import { ScheduledIssuesService, templateOf } from './schedule-templates-and-editor-rights.service.js';

/** The most schedules that a project may have (contract §5.11). */
const SCHEDULES_PER_PROJECT = 200;
/** How many times a check returns. */
const TIMES_OF_CHECK = 5;

/** 409: the project has as many schedules as it may have. */
export class ScheduleLimit extends Problem {
  constructor() {
    super('schedule_limit', `A project has at most ${SCHEDULES_PER_PROJECT} schedules; delete some first.`);
  }
}

/** What a person sets of a schedule. */
type Wished = Pick<Schedule, 'name' | 'cron' | 'timeZone' | 'template' | 'policy' | 'enabled'>;

/** Manages schedules (contract §5.11). `DueSchedulesWorker` acts at their due times. */
@Injectable()
export class SchedulesService {
  constructor(
    @InjectRepository(Schedule) private readonly schedules: ScheduleRepository,
    @InjectRepository(Project) private readonly locks: ProjectRepository,
    private readonly projects: ProjectsService,
    private readonly scheduled: ScheduledIssuesService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  list(project: SeenProject, page: PageRequest): Promise<Page<ReadSchedule>> {
    return this.schedules.list(project.id, page);
  }

  async get(caller: Principal, scheduleId: string, threshold: Role = 'Viewer'): Promise<SeenSchedule> {
    return requireRole(caller, await this.schedules.findSeen(caller, scheduleId), threshold);
  }

  /** @param project that the caller sees and may write in */
  hasNamed(project: SeenProject, name: string): Promise<boolean> {
    return this.schedules.existsBy({ projectId: project.id, name });
  }

  /** Returns what `create` would do now, and stores nothing. */
  async check(
    caller: UserPrincipal,
    project: SeenProject,
    request: CreateScheduleRequest,
  ): Promise<{ nextTimes: Date[]; issue: CheckedIssueResponse }> {
    const wished = wishedBy(request);
    const times = new DueTimes(wished.cron, wished.timeZone);
    const nextTimes = times.upcoming(await this.schedules.now(), TIMES_OF_CHECK);
    const values = { ...times.local(nextTimes[0]!), number: 1 };
    const { title, description, status } = await this.scheduled.check(
      caller,
      project,
      wished.template,
      values,
    );
    return { nextTimes, issue: { title, description: description ?? '', status } };
  }

  /**
   * Creates a schedule. The project's row is locked, so that schedules of one project are counted and created one by one.
   * @param project that the caller sees and may write in
   */
  async create(
    caller: UserPrincipal,
    project: SeenProject,
    request: CreateScheduleRequest,
  ): Promise<ReadSchedule> {
    await this.check(caller, project, request);
    const wished = wishedBy(request);
    return this.transactions.run(async () => {
      await this.locks.lock(project.id);
      const count = await this.schedules.countBy({ projectId: project.id });
      if (count >= SCHEDULES_PER_PROJECT) throw new ScheduleLimit();
      const id = uuidv7();
      const nextAt = wished.enabled ? await this.nextTimeOf(wished) : null;
      await refuseRemovedProject(
        this.schedules.insert({ id, projectId: project.id, ...wished, nextAt, ...editorOf(caller) }),
      );
      const { name, cron, timeZone, policy, enabled } = wished;
      await this.record(
        'schedule.created',
        { id, projectId: project.id },
        { name, cron, timeZone, policy, enabled },
      );
      return (await this.schedules.read(id))!;
    });
  }

  /**
   * Changes a schedule. The caller answers for it from then on, so an enabled one must have a template that the caller can
   * create an issue from. The count of failures begins again.
   */
  async update(
    caller: UserPrincipal,
    scheduleId: string,
    request: UpdateScheduleRequest,
  ): Promise<ReadSchedule> {
    const seen = await this.get(caller, scheduleId, 'Editor');
    const project = await this.projects.get(caller, seen.projectId, 'Editor');
    const present = wishedBy(request, seen);
    const times = new DueTimes(present.cron, present.timeZone);
    if (present.enabled || request.template) {
      const values = { ...times.local(await this.schedules.now()), number: 1 };
      await this.scheduled.check(caller, project, present.template, values);
    }
    return this.transactions.run(async () => {
      const before = await this.lock(seen.id);
      const wished = wishedBy(request, before);
      const keepsTimes = before.nextAt && wished.cron === before.cron && wished.timeZone === before.timeZone;
      const nextAt = !wished.enabled ? null : keepsTimes ? before.nextAt : await this.nextTimeOf(wished);
      const data = differences(before, wished, caller);
      const restart = { failures: 0, failingSince: null, lastFailure: null };
      const change = { ...wished, nextAt, ...editorOf(caller), ...restart, updatedAt: () => 'now()' };
      if (Object.keys(data).length > 0 || before.failures > 0) {
        await this.schedules.update({ id: before.id }, change);
        await this.record('schedule.updated', before, data);
      }
      return (await this.schedules.read(before.id))!;
    });
  }

  async delete(caller: UserPrincipal, scheduleId: string): Promise<void> {
    const seen = await this.get(caller, scheduleId, 'Editor');
    await this.transactions.run(async () => {
      const schedule = await this.lock(seen.id);
      await this.schedules.delete({ id: schedule.id });
      await this.record('schedule.deleted', schedule, { name: schedule.name });
    });
  }

  /** Creates an issue now, whatever the last one is doing, as an issue of the caller's. Its due times stay as they are. */
  async run(caller: UserPrincipal, scheduleId: string): Promise<PlannedIssue> {
    const seen = await this.get(caller, scheduleId, 'Editor');
    const project = await this.projects.get(caller, seen.projectId, 'Editor');
    return this.transactions.run(async () => {
      const schedule = await this.lock(seen.id);
      const now = await this.schedules.now();
      const issue = await this.scheduled.create(caller, project, schedule, now);
      const issues = schedule.issues + 1;
      await this.schedules.update({ id: schedule.id }, { lastAt: now, lastIssueId: issue.id, issues });
      await this.record('schedule.ran', schedule, { dueAt: null, issueId: issue.id, number: issues });
      return issue;
    });
  }

  private async nextTimeOf({ cron, timeZone }: Wished): Promise<Date> {
    return new DueTimes(cron, timeZone).next(await this.schedules.now());
  }

  /** @throws NotFound when it has been deleted */
  private async lock(id: string): Promise<Schedule> {
    const schedule = await this.schedules.lock(id);
    if (!schedule) throw new NotFound();
    return schedule;
  }

  private async record(
    type: 'schedule.created' | 'schedule.updated' | 'schedule.deleted' | 'schedule.ran',
    { id, projectId }: Pick<Schedule, 'id' | 'projectId'>,
    data: Record<string, unknown>,
  ): Promise<void> {
    await this.journal.record({ type, subject: { type: 'schedule', id }, projectId, data });
  }
}

const DEFAULTS = { timeZone: 'UTC', policy: 'skip', enabled: true } as const;

function wishedBy(request: CreateScheduleRequest): Wished;
function wishedBy(request: UpdateScheduleRequest, before: Wished): Wished;
function wishedBy(request: UpdateScheduleRequest, before?: Wished): Wished {
  const { name, cron, timeZone, template, policy, enabled } = request;
  return {
    name: name ?? before!.name,
    cron: cron === undefined ? before!.cron : normalized(cron),
    timeZone: timeZone ?? before?.timeZone ?? DEFAULTS.timeZone,
    template: template ? templateOf(template) : before!.template,
    policy: policy ?? before?.policy ?? DEFAULTS.policy,
    enabled: enabled ?? before?.enabled ?? DEFAULTS.enabled,
  };
}

const editorOf = ({ id, roleCap }: UserPrincipal) => ({ editorId: id, editorCap: roleCap });

/** Texts of the template are not recorded: issues that it made may be deleted. */
function differences(before: Schedule, wished: Wished, caller: UserPrincipal): Record<string, unknown> {
  const fields = ['name', 'cron', 'timeZone', 'policy', 'enabled'] as const;
  const changed = fields.filter((field) => wished[field] !== before[field]);
  const { editorId, editorCap } = editorOf(caller);
  const isTaken = editorId !== before.editorId || editorCap !== before.editorCap;
  return {
    ...Object.fromEntries(changed.map((field) => [field, { old: before[field], new: wished[field] }])),
    ...(!isSame(before.template, wished.template) && { template: {} }),
    ...(isTaken && { editor: { old: before.editorId, new: editorId } }),
  };
}

/** The database stores the fields in an order of its own. */
function isSame(one: Wished['template'], other: Wished['template']): boolean {
  const fields = Object.keys(one) as (keyof Wished['template'])[];
  return fields.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]));
}

/** @throws {NotFound} when the project was deleted after it was read */
async function refuseRemovedProject(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (isForeignKeyViolation(error, 'schedules_project_fk')) throw new NotFound();
    throw error;
  }
}
