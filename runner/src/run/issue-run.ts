import { Refused, type LeaseEnd, type WorkItem } from 'agent-work-platform-client/worker';
import { durationText } from '../config/values.js';
import { AcpDriver } from '../drivers/acp-driver.js';
import { runCommand } from '../drivers/command-driver.js';
import { givenBack, review, stopped, type Outcome } from '../drivers/outcome.js';
import { StepFailed } from '../processes/child.js';
import type { AgentSetup } from './agent-setup.js';
import { masked, presentable } from './run-log.js';
import { startReport } from './run-report.js';
import { Run } from './run.js';

const MAX_COMMENT = 12_000;
const MAX_REASON = 900;

/** The life of a run: prepare, work, and report the end until it is acknowledged. */
export class IssueRun extends Run {
  /** Whether something went wrong with the agent itself, and not with the issue. */
  hasFailed = false;
  private readonly begin = performance.now();
  /** Settles when the end is reported. */
  readonly done: Promise<void>;

  /** @param fail counts a failure, and returns what people have to know when the agent takes no more work from now on */
  constructor(
    setup: AgentSetup,
    item: WorkItem,
    private readonly fail: (failure: string) => string | null,
  ) {
    super(setup, item);
    // A bug of the runner must not take the other runs with it: the lease ends by itself.
    this.done = this.live().catch(({ stack }: Error) => setup.progress.say(setup.name, stack!));
  }

  private async live(): Promise<void> {
    const { token } = this.item;
    // A runner that was killed after the work sends the end again instead of working again.
    if (this.state.end?.body.token === token) return this.deliver(this.state.end);
    this.update({ status: 'running', token, end: null, reason: '' });
    const report = startReport(this);
    const outcome = await this.work().catch((error: Error) => this.failed(error));
    this.log.write('end', outcome);
    this.log.close();
    const reason = presentable(outcome.reason, this.log.secrets, 0, MAX_REASON);
    await report(reason);
    if (outcome.kind === 'none') return this.update({ status: 'parked', reason });
    const end = this.endOf(outcome, reason);
    this.update({ end, reason });
    await this.deliver(end);
  }

  private async work(): Promise<Outcome> {
    const { config } = this.setup;
    if (config.git && URL.canParse(config.git.repo)) this.log.secrets.push(new URL(config.git.repo).password);
    // An issue to stop alone has none.
    const connect = this.item.connect!;
    this.log.secrets.push(...Object.values(connect.headers).map((value) => value.replace(/^Bearer /, '')));
    await this.workspace.create(this.state.created, this.stop.now);
    this.remember();
    this.update({ created: true });
    return config.acp ? await new AcpDriver(this, connect).work() : await runCommand(this, connect);
  }

  /** Keeps a person's answer to a permission for the next time that the agent asks the same. */
  private remember(): void {
    const { gates, permissions } = this.state;
    for (const { gateId, option } of this.answers) {
      const question = gates[gateId];
      if (question !== undefined && option !== null) permissions[question] = option;
      delete gates[gateId];
    }
  }

  private failed(error: Error): Outcome {
    if (this.stop.now.aborted) return stopped(this.stop.reason);
    if (error instanceof Refused && error.code === 'lease_lost') return stopped('lease_lost');
    const text = masked(error.message, this.log.secrets);
    this.log.write('failure', text);
    if (error instanceof StepFailed && text.startsWith('after_run')) return review(text, 'after_run failed.');
    this.hasFailed = true;
    const reason = presentable(text, this.log.secrets, 0, MAX_REASON).split('\n')[0] || 'The agent failed.';
    const advice = this.fail(reason);
    // A person has to see it: from here on the agent's other issues only wait.
    return advice === null ? givenBack(text, reason) : review(text, advice);
  }

  private endOf(outcome: Exclude<Outcome, { kind: 'none' }>, reason: string): LeaseEnd {
    const { token } = this.item;
    if (outcome.kind === 'release') return { route: 'release', body: { token, reason } };
    const { status } = outcome;
    const said = presentable(outcome.comment, this.log.secrets, -MAX_COMMENT) || '(nothing was said)';
    const end = `${reason} ${this.figures()}`;
    // Output can be long, and a person looks for the reason.
    const comment = (status === 'Resolved' ? [said, end] : [end, said]).join('\n\n---\n');
    return { route: 'finish', body: { token, status, reason, comment, usage: this.state.reports } };
  }

  private figures(): string {
    const { turns, tokens, costMicros, sessionId } = this.state;
    const figures = [
      durationText(performance.now() - this.begin),
      `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
      ...(tokens > 0 ? [`${tokens} tokens`] : []),
      ...(costMicros > 0 ? [`${(costMicros / 1e6).toFixed(2)} USD`] : []),
      ...(sessionId ? [`session ${sessionId}`] : []),
    ];
    return `(${figures.join(', ')})`;
  }

  /** Sends the end until the service answers. A finish after a pause or a blocker is kept for a person. */
  private async deliver(end: LeaseEnd): Promise<void> {
    try {
      await this.setup.service.end(this.item.issueId, end);
      this.update({ status: 'ended', end: null, reports: [] });
    } catch (error) {
      const { problem, message, code = 'not reported' } = error as Refused;
      const wasHeld = ['paused', 'waiting', 'budget'].includes(String(problem?.['reason']));
      if (wasHeld && end.route === 'finish' && end.body.status === 'Resolved')
        return this.deliver({ ...end, body: { ...end.body, status: 'PendingReview' } });
      this.log.write('failure', `The end was not accepted: ${message}`);
      this.update({ status: 'parked', reason: code, end: null });
    }
  }
}
