import { setTimeout as sleep } from 'node:timers/promises';
import type { Heartbeat, WorkItem } from 'agent-work-platform-client/worker';
import { noteFailure } from '../processes/guard.js';
import type { AgentSetup } from './agent-setup.js';
import { STOPPED } from '../drivers/outcome.js';
import { IssueRun } from './issue-run.js';

const WAIT_SECONDS = 25;
const TICK_MS = 1000;
const RELEASE_MS = 5000;
const EQUAL_FAILURES = 3;

/** Takes work for one agent. Its loop does nothing but heartbeats, so that no agent's output can delay one. */
export class AgentWorker {
  hasFailed = false;
  private readonly runs = new Map<string, IssueRun>();
  /** The runs that existed before the last heartbeat was sent: only those can be missing from its response. */
  private named: IssueRun[] = [];
  private ending = false;
  /** The last failure, and how often it was the same. */
  private failure = { text: '', count: 0 };
  private wake = new AbortController();

  /** @param capacity how many issues it works on at once; 0 goes on with what the worker has, and ends with that */
  constructor(
    readonly setup: AgentSetup,
    private readonly capacity: number,
  ) {}

  /** Works until `end` is called and the last run is reported. Returns false when the key is not good any more. */
  async work(): Promise<boolean> {
    const { progress, name } = this.setup;
    try {
      while (!this.ending || this.runs.size > 0)
        // Waking up early is the purpose of the signal.
        if ((await this.beat()) || this.ending)
          await sleep(TICK_MS, undefined, { signal: this.wake.signal }).catch(() => undefined);
      // What was handed out in a response that the end cut off is released.
      await this.beat();
      return true;
    } catch (error) {
      progress.say(name, `takes no more work: ${(error as Error).message}`);
      return false;
    }
  }

  /** Ends gracefully: turns are cancelled, and issues given back without an attempt. */
  end(): void {
    this.ending = true;
    for (const { stop } of this.runs.values()) stop.request('shutdown');
    this.wake.abort();
  }

  /** Sends a heartbeat and does what it says. Returns whether the next one has to wait. */
  private async beat(): Promise<boolean> {
    const { service, worker, progress, name } = this.setup;
    this.named = [...this.runs.values()];
    const leases = this.named.map(({ item: { issueId, token } }) => ({ issueId, token }));
    const isTaking = !this.ending && !this.isFailing();
    const capacity = isTaking ? Math.max(0, this.capacity - this.runs.size) : 0;
    this.wake = new AbortController();
    const signal = this.ending ? AbortSignal.timeout(RELEASE_MS) : this.wake.signal;
    const wait = this.ending ? 0 : WAIT_SECONDS;
    const away = ({ message }: Error) => progress.say(name, `no heartbeat: ${message}; trying again`);
    try {
      const heartbeat = await service.heartbeat({ worker, leases, capacity }, wait, signal, away);
      progress.suspended(name, heartbeat.suspended);
      return this.take(heartbeat);
    } catch (error) {
      if (signal.aborted) return false;
      for (const { stop } of this.named) stop.request('disabled');
      throw error;
    }
  }

  /** Returns whether the next heartbeat has to wait: the service answers at once while a run that it stopped goes on. */
  private take({ work }: Heartbeat): boolean {
    const items = new Map((work ?? []).map((item) => [item.issueId, item]));
    for (const run of this.named) if (!items.has(run.item.issueId)) run.stop.request('lease_lost');
    for (const item of items.values()) {
      const run = this.runs.get(item.issueId);
      if (item.state === 'stop') run?.stop.request(item.reason ?? 'lease_lost');
      else if (!run) this.start(item);
      else if (run.item.token !== item.token) run.stop.request('lease_lost');
      else if (run.stop.reason === null) run.hear(item);
    }
    return this.named.some(({ stop }) => stop.reason !== null);
  }

  private start(item: WorkItem): void {
    const { name, progress, service } = this.setup;
    const { issueId, token } = item;
    const late = AbortSignal.timeout(RELEASE_MS);
    // A lease that cannot be released ends by itself.
    if (this.ending) return void service.release(issueId, token, STOPPED, late).catch(() => undefined);
    const run = new IssueRun(this.setup, item);
    this.runs.set(issueId, run);
    void run
      .live((failure) => this.fail(failure))
      // A bug of the runner must not take the other runs with it: the lease ends by itself.
      .catch((error: Error) => progress.say(name, `${item.issue?.key}: ${error.stack}`))
      .finally(() => this.ended(run));
  }

  /** Counts a failure. Returns whether the agent takes no more work from now on. */
  private fail(failure: string): boolean {
    this.failure = { text: failure, count: failure === this.failure.text ? this.failure.count + 1 : 1 };
    this.hasFailed = true;
    if (!this.isFailing()) return false;
    const { progress, root, name } = this.setup;
    const text = `${failure} It takes no more work until the runner is started again.`;
    progress.say(name, `is failing: ${text}`, { failing: true });
    noteFailure(root, name, text);
    return true;
  }

  private isFailing(): boolean {
    return this.failure.count >= EQUAL_FAILURES;
  }

  private ended(run: IssueRun): void {
    this.runs.delete(run.item.issueId);
    if (!run.hasFailed && run.stop.reason === null) this.failure.count = 0;
    if (this.capacity === 0) this.ending = true;
    // The free slot is offered at once.
    this.wake.abort();
  }
}
