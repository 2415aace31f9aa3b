import { setTimeout as sleep } from 'node:timers/promises';
import { Refused } from 'agent-work-platform-client';
import { mayPass, pauseAfter, type Heartbeat, type WorkItem } from '../service/service.js';
import { IssueRun, type RunOptions } from './issue-run.js';

const WAIT_SECONDS = 25;
const TICK_MS = 1000;
const EQUAL_FAILURES = 3;

export interface WorkerOptions extends RunOptions {
  worker: string;
  /** How many issues it works on at once. 0 goes on with what the worker has already, and ends with that. */
  capacity: number;
}

/** Takes work for one agent. Its loop does nothing but heartbeats, so that no agent's output can delay one. */
export class AgentWorker {
  private readonly runs = new Map<string, IssueRun>();
  private ending = false;
  private failures: string[] = [];
  private wake = new AbortController();
  private attempt = 0;

  constructor(private readonly options: WorkerOptions) {}

  /** Why the agent takes no more work, or null. */
  get failing(): string | null {
    const last = this.failures.slice(-EQUAL_FAILURES);
    return last.length === EQUAL_FAILURES && new Set(last).size === 1 ? last[0]! : null;
  }

  get hasFailed(): boolean {
    return this.failures.length > 0;
  }

  /** Works until `end` is called and the last run is reported. @throws {Refused} when the key is not good any more */
  async work(): Promise<void> {
    while (!this.ending || this.runs.size > 0) {
      const heartbeat = await this.beat();
      if (heartbeat && this.take(heartbeat)) await this.pause(TICK_MS);
      if (this.ending) await this.pause(TICK_MS);
    }
    await this.giveBack();
  }

  /** Ends gracefully: turns are cancelled, and issues given back without an attempt. The second call does not wait. */
  end(): void {
    for (const run of this.runs.values()) {
      if (this.ending) run.stop.abandon();
      run.stop.request('shutdown');
    }
    this.ending = true;
    this.wake.abort();
  }

  private async beat(): Promise<Heartbeat | null> {
    const { service, worker, capacity: most, progress, agent } = this.options;
    const live = [...this.runs].filter(([, run]) => !run.stop.now.aborted || this.ending);
    const leases = live.map(([issueId, { token }]) => ({ issueId, token }));
    const isTaking = !this.ending && this.failing === null;
    const capacity = isTaking ? Math.max(0, most - this.runs.size) : 0;
    this.wake = new AbortController();
    try {
      const wait = this.ending ? 0 : WAIT_SECONDS;
      const heartbeat = await service.heartbeat({ worker, leases, capacity }, wait, this.wake.signal);
      this.attempt = 0;
      progress.suspended(agent, heartbeat.suspended);
      return heartbeat;
    } catch (error) {
      if (this.wake.signal.aborted) return null;
      if (!mayPass(error)) return this.refused(error as Refused);
      progress.say(agent, `no heartbeat: ${(error as Error).message}; trying again`);
      await this.pause(pauseAfter(this.attempt, error));
      this.attempt += 1;
      return null;
    }
  }

  /** Returns whether the next heartbeat has to wait: the service repeats work that cannot be started yet. */
  private take({ work }: Heartbeat): boolean {
    let isEarly = false;
    for (const item of work ?? []) {
      const run = this.runs.get(item.issueId);
      if (item.state === 'stop') run?.stop.request(item.reason ?? 'lease_lost');
      else if (run === undefined) {
        if (!this.ending) this.start(item);
      } else if (run.token === item.token && run.stop.reason === null) run.hear(item);
      else {
        if (run.token !== item.token) run.stop.request('lease_lost');
        isEarly = true;
      }
    }
    const listed = new Set((work ?? []).map(({ issueId }) => issueId));
    for (const [issueId, run] of this.runs)
      if (!listed.has(issueId) && this.named.has(run)) run.stop.request('lease_lost');
    this.named = new Set(this.runs.values());
    return isEarly;
  }

  /** The runs that existed before the last heartbeat was sent: only those can be missing from its response. */
  private named = new Set<IssueRun>();

  /** Releases what was handed out in a response that the end of the runner cut off. */
  private async giveBack(): Promise<void> {
    const { service } = this.options;
    const heartbeat = await this.beat();
    for (const { issueId, token, state } of heartbeat?.work ?? []) {
      const end = { token, route: 'release' as const, body: { token, reason: 'The runner was stopped.' } };
      const limit = AbortSignal.timeout(5000);
      // A lease that cannot be released ends by itself.
      if (state !== 'stop') await service.end(issueId, end, limit).catch(() => undefined);
    }
  }

  private start(item: WorkItem): void {
    const { agent, progress } = this.options;
    const run = new IssueRun(this.options, item, (failure) => this.fail(failure));
    this.runs.set(item.issueId, run);
    void run
      .run()
      // A bug of the runner must not take the other runs with it: the lease ends by itself.
      .catch((error: Error) => progress.say(agent, `${item.issue?.key}: ${error.stack}`))
      .finally(() => this.ended(item.issueId, run));
  }

  /** Counts a failure. Returns whether the agent takes no more work from now on. */
  private fail(failure: string): boolean {
    this.failures.push(failure);
    if (this.failing === null) return false;
    const text = `${failure} It takes no more work until the runner is started again.`;
    this.options.progress.failing(this.options.agent, text);
    return true;
  }

  private ended(issueId: string, run: IssueRun): void {
    this.runs.delete(issueId);
    if (!run.hasFailed && run.stop.reason === null) this.failures = [];
    if (this.options.capacity === 0) this.ending = true;
    // The free slot is offered at once.
    this.wake.abort();
  }

  private refused(error: Refused): never {
    for (const run of this.runs.values()) run.stop.request('disabled');
    throw error;
  }

  private async pause(milliseconds: number): Promise<void> {
    // Waking up early is the purpose of the signal.
    await sleep(milliseconds, undefined, { signal: this.wake.signal }).catch(() => undefined);
  }
}
