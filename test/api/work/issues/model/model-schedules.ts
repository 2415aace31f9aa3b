import type { Expected, ModelAnswers } from './model-answers.js';
import type { Step } from './steps.js';
import { type ModelSchedule, type TrackerModel, unresolved } from './tracker-model.js';

const MOST_FAILURES = 5;

/** What schedules do to the model (contract §5.11). */
export class ModelSchedules {
  constructor(
    private readonly model: TrackerModel,
    private readonly answers: ModelAnswers,
  ) {}

  /** A schedule must have a template from which an issue could be created now. */
  add({ policy, agent, priority, blocker, parent, holds }: Step & { kind: 'schedule' }): Expected {
    const template = { agent, priority, blocker, parent, holds };
    const { status, code } = this.model.attempt(
      () => this.answers.create(template),
      () => false,
    );
    if (status !== 201) return { status, code };
    this.model.schedules.push({
      number: this.model.schedules.length,
      policy,
      template,
      last: null,
      issues: 0,
      failures: 0,
      enabled: true,
      events: [],
      deleted: false,
    });
    return { status: 201 };
  }

  /** A person creates the next issue now, whatever the last one is doing. */
  run(schedule: ModelSchedule): Expected {
    return this.create(schedule);
  }

  /** A due time comes. One that was acted on before changes nothing. */
  due(schedule: ModelSchedule): void {
    if (schedule.policy === 'skip' && this.hasUnresolved(schedule)) {
      schedule.events.push('skipped unresolved');
      return;
    }
    const { status, code } = this.create(schedule);
    if (status === 201) {
      schedule.failures = 0;
      return;
    }
    schedule.failures += 1;
    schedule.enabled = schedule.failures < MOST_FAILURES;
    schedule.events.push(`failed ${code}`);
  }

  /** With `replace` the last issue ends first, and goes on where the next one is refused. */
  private create(schedule: ModelSchedule): Expected {
    const { policy, template, last } = schedule;
    const made = this.model.attempt(
      () => {
        if (policy === 'replace' && this.hasUnresolved(schedule))
          this.answers.close({ issue: last!.number, force: true });
        return this.answers.create(template);
      },
      ({ status }) => status === 201,
    );
    if (made.status !== 201) return made;
    schedule.last = made.issue!;
    schedule.issues += 1;
    schedule.events.push('ran');
    return made;
  }

  private hasUnresolved({ last }: ModelSchedule): boolean {
    return last !== null && !last.deleted && unresolved(last);
  }
}
