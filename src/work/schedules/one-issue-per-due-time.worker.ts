import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import { ChoresWorker } from '../../platform/chores/chores.worker.js';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { Problem } from '../../platform/http/problem.js';
import { JournalService, withOrigin } from '../../platform/journal/journal.service.js';
import { DueTimes } from './due-times.js';
import { Schedule } from './schedule.entity.js';
import { type DueSchedule, ScheduleRepository } from './schedule.repository.js';
import { actorOf, ScheduledIssuesService } from './schedule-templates-and-editor-rights.service.js';

/** A schedule that another process has just been given is found after so long, and a clock that was set is noticed. */
const LOOK_MS = 1_000;
const SOONEST_MS = 20;
/** How many schedules one look takes on. */
const PER_LOOK = 100;
/** How long a schedule whose due time met an error of the service itself is left out. */
const POSTPONED_MS = 5_000;
/** After so many failures in a row a person has to act. */
const MOST_FAILURES = 5;

/** A due time that this process acts on. */
interface Turn extends DueSchedule {
  times: DueTimes;
  /** The latest time that has come; earlier ones were missed. */
  dueAt: Date;
  missed: number;
}

/**
 * Acts at the due times of schedules (contract §5.11). Every process that does background work looks when the next one is due,
 * by the clock of the database.
 *
 * One transaction locks the schedule, takes the due time as a row of its own, creates the issue and sets the next time. So a
 * process that dies leaves all of it or nothing, and another process begins again; two processes at once are kept apart by
 * the lock, and by the key of the row even if the clock went back.
 *
 * A refusal rolls all of that back. A second transaction then takes the same due time as failed.
 */
@Injectable()
export class DueSchedulesWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(DueSchedulesWorker.name);
  private readonly failure = new RepeatedFailure(this.log, 'Schedules that are due could not be run');
  /** When each of the schedules that met an error is tried again. */
  private readonly postponed = new Map<string, number>();
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private stopping = false;

  constructor(
    @InjectRepository(Schedule) private readonly schedules: ScheduleRepository,
    private readonly scheduled: ScheduledIssuesService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
    private readonly settings: Settings,
    chores: ChoresWorker,
  ) {
    const run = () => schedules.deleteOldRuns();
    chores.add({ name: 'old due times of schedules', everySeconds: 86_400, run });
  }

  onApplicationBootstrap(): void {
    if (this.settings.duties.background) this.lookIn(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    if (this.timer) clearTimeout(this.timer);
    await this.round;
  }

  private lookIn(ms: number): void {
    if (this.stopping) return;
    this.timer = setTimeout(() => (this.round = this.lookAndGoOn()), ms).unref();
  }

  private async lookAndGoOn(): Promise<void> {
    this.lookIn(await this.look());
  }

  /** Acts on what is due. @returns the milliseconds until the next look */
  private async look(): Promise<number> {
    let hasFailed = false;
    const now = performance.now();
    for (const [id, until] of this.postponed) if (until <= now) this.postponed.delete(id);
    try {
      const found = await this.schedules.upNext(PER_LOOK, [...this.postponed.keys()]);
      for (const { id } of found.filter(({ inMs }) => inMs <= 0)) {
        if (this.stopping) return 0;
        hasFailed = !(await this.tryTurn(id)) || hasFailed;
      }
      if (!hasFailed) this.failure.succeeded();
      // A full look may have left others that are due.
      const soonest = found.find(({ inMs }) => inMs > 0)?.inMs ?? (found.length === PER_LOOK ? 0 : LOOK_MS);
      return Math.min(LOOK_MS, Math.max(SOONEST_MS, Math.ceil(soonest)));
    } catch (error) {
      this.failure.failed(error);
      return LOOK_MS;
    }
  }

  /** An error that is not a refusal says nothing about the schedule: the due time stays. @returns false for such an error */
  private async tryTurn(id: string): Promise<boolean> {
    try {
      await this.takeTurn(id);
      return true;
    } catch (error) {
      this.failure.failed(error);
      this.postponed.set(id, performance.now() + POSTPONED_MS);
      return false;
    }
  }

  private async takeTurn(id: string): Promise<void> {
    const tried: { turn: Turn | null } = { turn: null };
    try {
      await this.transactions.run(async () => {
        tried.turn = await this.lockTurn(id);
        if (tried.turn) await recordedAs(tried.turn, this.act(tried.turn));
      });
    } catch (error) {
      if (!tried.turn || !isRefusal(error)) throw error;
      await this.failTurn(tried.turn, error);
    }
  }

  private async lockTurn(id: string): Promise<Turn | null> {
    const due = await this.schedules.lockDue(id);
    if (!due) return null;
    const { cron, timeZone, nextAt } = due.schedule;
    const times = new DueTimes(cron, timeZone);
    const { latest, missed } = times.latest(nextAt, due.now);
    return { ...due, times, dueAt: latest, missed };
  }

  private act(turn: Turn): () => Promise<void> {
    return async () => {
      const { schedule, dueAt } = turn;
      const unresolved = schedule.policy === 'skip' ? await this.scheduled.unresolvedOf(schedule) : null;
      const outcome = unresolved ? 'skipped' : 'created';
      if (!(await this.schedules.takeDueTime(schedule.id, dueAt, outcome))) return this.goOn(turn, {});
      await this.recordMissed(turn);
      if (unresolved) {
        await this.record(turn, 'schedule.skipped', { dueAt, reason: 'unresolved', issueId: unresolved });
        return this.goOn(turn, {});
      }
      const author = await this.scheduled.authorOf(schedule);
      const project = await this.scheduled.projectOf(author, schedule.projectId);
      const issue = await this.scheduled.create(author, project, schedule, dueAt);
      const issues = schedule.issues + 1;
      await this.record(turn, 'schedule.ran', { dueAt, issueId: issue.id, number: issues });
      const succeeded = { failures: 0, failingSince: null, lastFailure: null };
      await this.goOn(turn, { ...succeeded, lastAt: dueAt, lastIssueId: issue.id, issues });
    };
  }

  private async failTurn(turn: Turn, problem: Problem): Promise<void> {
    await this.transactions.run(async () => {
      const due = await this.schedules.lockDue(turn.schedule.id);
      // A person changed it since, or another process acted on the due time.
      if (due?.schedule.nextAt.getTime() !== turn.schedule.nextAt.getTime()) return;
      await recordedAs(turn, this.fail({ ...turn, schedule: due.schedule }, problem));
    });
  }

  private fail(turn: Turn, problem: Problem): () => Promise<void> {
    return async () => {
      const { schedule, dueAt, now } = turn;
      if (!(await this.schedules.takeDueTime(schedule.id, dueAt, 'failed'))) return this.goOn(turn, {});
      await this.recordMissed(turn);
      const failures = schedule.failures + 1;
      const disabled = failures >= MOST_FAILURES;
      await this.record(turn, 'schedule.failed', { dueAt, code: problem.code, failures, disabled });
      await this.goOn(turn, {
        failures,
        failingSince: schedule.failingSince ?? now,
        lastFailure: problem.detail,
        ...(disabled && { enabled: false, nextAt: null }),
      });
    };
  }

  private async recordMissed(turn: Turn): Promise<void> {
    if (turn.missed === 0) return;
    const data = { reason: 'missed', count: turn.missed, first: turn.schedule.nextAt, before: turn.dueAt };
    await this.record(turn, 'schedule.skipped', data);
  }

  /** Sets the time after this one, which may have come meanwhile. */
  private async goOn(
    { schedule, times, dueAt }: Turn,
    change: Partial<Omit<Schedule, 'template'>>,
  ): Promise<void> {
    await this.schedules.update({ id: schedule.id }, { nextAt: times.next(dueAt), ...change });
  }

  private async record(
    { schedule }: Turn,
    type: 'schedule.ran' | 'schedule.skipped' | 'schedule.failed',
    data: Record<string, unknown>,
  ): Promise<void> {
    const { id, projectId } = schedule;
    await this.journal.record({ type, subject: { type: 'schedule', id }, projectId, data });
  }
}

/** The template, or the rights behind it, do not admit the issue. Other errors are the service's own. */
const isRefusal = (error: unknown): error is Problem => error instanceof Problem && error.status < 500;

/** Runs `work` as a request of the schedule's own, by whose id the journal shows what belongs together. */
function recordedAs({ schedule }: Turn, work: () => Promise<void>): Promise<void> {
  return withOrigin({ requestId: uuidv7(), traceparent: null, from: null, actor: actorOf(schedule) }, work);
}
