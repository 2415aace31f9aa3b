import { expect } from '@jest/globals';
import type { Issue, Schedule } from '../../../../support/builders.js';
import type { Caller } from '../../../../support/caller.js';
import type { Service } from '../../../../support/service.js';
import { until } from '../../../../support/until.js';
import { expectAnswer } from './expect-answer.js';
import type { ModelSchedules } from './model-schedules.js';
import type { Step } from './steps.js';
import type { ModelSchedule, TrackerModel } from './tracker-model.js';

/** The due times of a walk lie so far back: later than any of its own cron expression, and each after the one before. */
const MINUTES_AGO = 10_000;
/** Comes every fourth year, so that a schedule is due only when its walk says so. */
const CRON = '0 0 29 2 *';

/** What schedules need of their walk. */
export interface Issues {
  idOf: (issue: number) => string;
  /** The body of a creation, by what the walk calls its fields. */
  bodyOf: (step: ModelSchedule['template']) => object;
  /** Takes on an issue that a schedule has created. */
  add: (issue: Issue) => void;
}

/** The schedules of a walk, which share its issues with links, parents and gates. */
export class WalkSchedules {
  /** Indexed by the model's numbers. */
  private readonly ids: string[] = [];
  /** The last due time of each. */
  private readonly dueTimes: (string | undefined)[] = [];
  private minutes = 0;

  constructor(
    private readonly service: Service,
    private readonly person: Caller,
    private readonly projectId: string,
    private readonly model: TrackerModel,
    private readonly schedules: ModelSchedules,
    private readonly issues: Issues,
  ) {}

  async create(step: Step & { kind: 'schedule' }): Promise<void> {
    const made = await this.person.post<Schedule>(`/api/projects/${this.projectId}/schedules`, {
      name: `Schedule ${this.ids.length}`,
      cron: CRON,
      policy: step.policy,
      template: { title: 'No. {{number}}', ...this.issues.bodyOf(step) },
    });
    expectAnswer(made, this.schedules.add(step));
    if (made.status === 201) this.ids.push(made.body.id);
  }

  async run({ schedule: number }: { schedule: number }): Promise<void> {
    const schedule = this.model.schedules[number]!;
    const made = await this.person.post<Issue>(`${this.path(schedule)}/run`);
    const expected = this.schedules.run(schedule);
    if (made.status === 201) this.issues.add(made.body);
    expectAnswer(made, expected);
    await this.compare(schedule);
  }

  /** Lets the service find that a time has come, by itself. A schedule that its failures have disabled has none. */
  async due({ schedule: number, again }: { schedule: number; again: boolean }): Promise<void> {
    const schedule = this.model.schedules[number]!;
    if (!schedule.enabled) return;
    const { issues } = schedule;
    const repeated = again ? this.dueTimes[number] : undefined;
    this.dueTimes[number] = await this.setNext(schedule, repeated);
    if (repeated === undefined) this.schedules.due(schedule);
    await until(async () => !(await this.isDue(schedule)));
    if (schedule.issues > issues) this.issues.add(await this.lastIssueOf(schedule));
    await this.compare(schedule);
  }

  private async setNext(schedule: ModelSchedule, time: string | undefined): Promise<string> {
    this.minutes += 1;
    const [row] = await this.service.sql<{ at: Date }>(
      `UPDATE schedules SET next_at = coalesce($2::timestamptz, date_trunc('minute', now()) - make_interval(mins => $3::int))
       WHERE id = $1 RETURNING next_at AS at`,
      [this.ids[schedule.number], time ?? null, MINUTES_AGO - this.minutes],
    );
    return row!.at.toISOString();
  }

  private async isDue({ number }: ModelSchedule): Promise<boolean> {
    const due = await this.service.sql('SELECT 1 FROM schedules WHERE id = $1 AND next_at <= now()', [
      this.ids[number],
    ]);
    return due.length > 0;
  }

  private async lastIssueOf(schedule: ModelSchedule): Promise<Issue> {
    const { lastIssueId } = (await this.person.get<Schedule>(this.path(schedule))).body;
    const { body } = await this.person.get<Issue>(`/api/projects/issues/${lastIssueId}`);
    expect(body).toMatchObject({
      title: `No. ${schedule.issues}`,
      createdBy: { id: this.ids[schedule.number] },
    });
    return body;
  }

  /** Fails when the schedule and its journal differ from the model's. */
  private async compare(schedule: ModelSchedule): Promise<void> {
    const { last, enabled, failures, events } = schedule;
    const { body } = await this.person.get<Schedule>(this.path(schedule));
    const rows = await this.service.sql<{ event: string }>(
      `SELECT concat_ws(' ', split_part(type, '.', 2), data ->> 'reason', data ->> 'code') AS event FROM journal
       WHERE subject_id = $1 AND type <> 'schedule.created' ORDER BY position`,
      [this.ids[schedule.number]],
    );
    expect({
      lastIssueId: body.lastIssueId,
      enabled: body.enabled,
      failures: body.failures,
      events: rows.map(({ event }) => event),
    }).toEqual({
      lastIssueId: last && !last.deleted ? this.issues.idOf(last.number) : null,
      enabled,
      failures,
      events,
    });
  }

  private path({ number }: ModelSchedule): string {
    return `/api/projects/schedules/${this.ids[number]}`;
  }
}
