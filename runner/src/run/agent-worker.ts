import { WorkLoop } from 'agent-work-platform-client/work-loop';
import type { Heartbeat, WorkItem } from 'agent-work-platform-client/worker';
import { noteFailure } from '../processes/guard.js';
import type { AgentSetup } from './agent-setup.js';
import { IssueRun } from './issue-run.js';
import { deliverLeftEnds } from './lease-ends.js';

const EQUAL_FAILURES = 3;

/** Takes work for one agent, until the agent fails three times in the same way. */
export class AgentWorker {
  private readonly loop: WorkLoop;
  private readonly ending = new AbortController();
  /** The last failure, and how often it was the same. */
  failure = { text: '', count: 0 };

  /**
   * @param capacity how many issues it works on at once; 0 goes on with what the worker has, and ends with that
   * @param takeOver whether an earlier runner had the name of the worker, and has ended
   */
  constructor(
    readonly setup: AgentSetup,
    private readonly capacity: number,
    takeOver = false,
  ) {
    const { service, worker, instance, progress, name } = setup;
    const handlers = {
      capacity: (held: number) => capacity - held,
      failing: () => this.failing(),
      start: (item: WorkItem) => this.start(item),
      onHeartbeat: ({ suspended }: Heartbeat) => progress.suspended(name, suspended),
      onRetry: ({ message }: Error) => progress.say(name, `no heartbeat: ${message}; trying again`),
    };
    this.loop = new WorkLoop(service, worker, handlers, { instance, takeOver });
  }

  /** Works until `end` is called and the last run is reported. Returns false when the service refuses this runner. */
  async work(): Promise<boolean> {
    try {
      await deliverLeftEnds(this.setup, this.ending.signal);
      await this.loop.run();
      return true;
    } catch (error) {
      if (this.ending.signal.aborted) return true;
      this.setup.progress.say(this.setup.name, `takes no more work: ${(error as Error).message}`);
      return false;
    }
  }

  /** Ends gracefully: turns are cancelled, and issues given back without an attempt. */
  end(): void {
    this.ending.abort();
    this.loop.end('shutdown');
  }

  private start(item: WorkItem): IssueRun {
    const run = new IssueRun(this.setup, item, (failure) => this.fail(failure));
    void run.done.finally(() => {
      if (!run.hasFailed && run.stop.reason === null) this.failure.count = 0;
      if (this.capacity === 0) this.end();
    });
    return run;
  }

  /** Counts a failure. Returns what people have to know when the agent takes no more work from now on, and else null. */
  private fail(text: string): string | null {
    this.failure = { text, count: text === this.failure.text ? this.failure.count + 1 : 1 };
    if (this.failing() === null) return null;
    const { progress, root, name } = this.setup;
    const advice = `${text} The agent failed so repeatedly, and takes no more work until its runner is started again.`;
    progress.say(name, `is failing: ${advice}`, { failing: true });
    noteFailure(root, name, advice);
    return advice;
  }

  /** Why the agent takes no more work; null while it does. */
  private failing(): string | null {
    return this.failure.count >= EQUAL_FAILURES ? this.failure.text : null;
  }
}
