import { setTimeout as sleep } from 'node:timers/promises';
import { mayPass, pauseAfter } from 'agent-work-platform-client';
import type { Heartbeat, WorkItem } from 'agent-work-platform-client/worker';
import type { AgentSetup } from './agent-setup.js';
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
  private failures: string[] = [];
  private wake = new AbortController();
  private attempt = 0;

  /** @param capacity how many issues it works on at once; 0 goes on with what the worker has, and ends with that */
  constructor(
    readonly setup: AgentSetup,
    private readonly capacity: number,
  ) {}

  /** Works until `end` is called and the last run is reported. @throws {Refused} when the key is not good any more */
  async work(): Promise<void> {
    while (!this.ending || this.runs.size > 0) {
      const heartbeat = await this.beat();
      if ((heartbeat && this.take(heartbeat)) || this.ending) await this.pause(TICK_MS);
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
    const { service, worker, progress, name } = this.setup;
    this.named = [...this.runs.values()];
    const live = this.named.filter(({ stop }) => !stop.now.aborted || this.ending);
    const leases = live.map(({ item: { issueId, token } }) => ({ issueId, token }));
    const isTaking = !this.ending && !this.isFailing();
    const capacity = isTaking ? Math.max(0, this.capacity - this.runs.size) : 0;
    this.wake = new AbortController();
    try {
      const wait = this.ending ? 0 : WAIT_SECONDS;
      const heartbeat = await service.heartbeat({ worker, leases, capacity }, wait, this.wake.signal);
      this.attempt = 0;
      progress.suspended(name, heartbeat.suspended);
      return heartbeat;
    } catch (error) {
      if (this.wake.signal.aborted) return null;
      if (!mayPass(error)) {
        for (const run of this.named) run.stop.request('disabled');
        throw error;
      }
      progress.say(name, `no heartbeat: ${(error as Error).message}; trying again`);
      await this.pause(pauseAfter(this.attempt, error));
      this.attempt += 1;
      return null;
    }
  }

  /** Returns whether the next heartbeat has to wait: the service repeats work that cannot be started yet. */
  private take({ work }: Heartbeat): boolean {
    let isEarly = false;
    const items = new Map((work ?? []).map((item) => [item.issueId, item]));
    for (const run of this.named) if (!items.has(run.item.issueId)) run.stop.request('lease_lost');
    for (const item of items.values()) {
      const run = this.runs.get(item.issueId);
      if (item.state === 'stop') run?.stop.request(item.reason ?? 'lease_lost');
      else if (!run) this.start(item);
      else if (run.item.token !== item.token) run.stop.request('lease_lost');
      else if (run.stop.reason === null) run.hear(item);
      isEarly ||= item.state !== 'stop' && run !== undefined && run.stop.reason !== null;
    }
    return isEarly;
  }

  /** Releases what was handed out in a response that the end of the runner cut off. */
  private async giveBack(): Promise<void> {
    const { work } = (await this.beat()) ?? {};
    for (const { issueId, token } of work?.filter(({ state }) => state !== 'stop') ?? []) {
      const end = { route: 'release' as const, body: { token, reason: 'The runner was stopped.' } };
      // A lease that cannot be released ends by itself.
      await this.setup.service.end(issueId, end, AbortSignal.timeout(RELEASE_MS)).catch(() => undefined);
    }
  }

  private start(item: WorkItem): void {
    if (this.ending) return;
    const { name, progress } = this.setup;
    const run = new IssueRun(this.setup, item);
    this.runs.set(item.issueId, run);
    void run
      .live((failure) => this.fail(failure))
      // A bug of the runner must not take the other runs with it: the lease ends by itself.
      .catch((error: Error) => progress.say(name, `${item.issue?.key}: ${error.stack}`))
      .finally(() => this.ended(run));
  }

  /** Counts a failure. Returns whether the agent takes no more work from now on. */
  private fail(failure: string): boolean {
    this.failures.push(failure);
    this.hasFailed = true;
    const text = `${failure} It takes no more work until the runner is started again.`;
    if (this.isFailing()) this.setup.progress.failing(this.setup.name, text);
    return this.isFailing();
  }

  private isFailing(): boolean {
    const last = this.failures.slice(-EQUAL_FAILURES);
    return last.length === EQUAL_FAILURES && new Set(last).size === 1;
  }

  private ended(run: IssueRun): void {
    this.runs.delete(run.item.issueId);
    if (!run.hasFailed && run.stop.reason === null) this.failures = [];
    if (this.capacity === 0) this.ending = true;
    // The free slot is offered at once.
    this.wake.abort();
  }

  private async pause(milliseconds: number): Promise<void> {
    // Waking up early is the purpose of the signal.
    await sleep(milliseconds, undefined, { signal: this.wake.signal }).catch(() => undefined);
  }
}
