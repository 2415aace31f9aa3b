import { setTimeout as sleep } from 'node:timers/promises';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { JsonLogger } from '../logging/json-logger-and-start-log.js';
import type { ProcessState, Question } from '../config/parent-channel.js';
import type { Part, PartKind } from '../config/process-roles-and-plan.js';
import { Child, type Ready } from './supervised-process.js';

/** How long a process may take to become ready before its replacement counts as failed. */
const START_MS = 120_000;
/** A process that ended after this time is started again at once; one that ends sooner waits longer each time. */
const STEADY_MS = 60_000;
const LONGEST_PAUSE_MS = 30_000;
/** The requests and calls of a process that is replaced may finish in this time: longer than a tool call may take. */
const REPLACED_DRAIN_MS = 310_000;
/** Beyond it a process is killed that was told to end. */
const SPARE_MS = 12_000;
/** A process that has not answered a question by then is left out of the answer. */
const QUESTION_MS = 1_500;

interface Slot {
  part: Part;
  child: Child | null;
  restarts: number;
  /** How often it ended soon after its start, in succession. */
  failures: number;
}

/** The first start of a process failed. It has said why. */
export class PartFailed extends Error {
  constructor(readonly exitCode: number) {
    super('A process of the start ended before it was ready.');
  }
}

/**
 * Starts the processes among which one start divides its work, starts each again that ends, and replaces them one after the
 * other when asked (contract §9.5). It does no work itself, so no load delays it.
 */
export class Primary {
  private readonly slots: Slot[];
  private readonly logger: JsonLogger;
  /** Counts the requests of each key, for all processes together. */
  readonly rates = new RateLimiterClusterMaster();
  private databaseUrl = '';
  private hasStarted = false;
  private isEnding = false;
  /** Processes that were replaced, and finish what they have. */
  private readonly replaced = new Set<Child>();
  private replacing: Promise<void> | null = null;
  private isAskedAgain = false;

  constructor(parts: readonly Part[], logger: JsonLogger) {
    this.logger = logger;
    this.slots = parts.map((part) => ({ part, child: null, restarts: 0, failures: 0 }));
  }

  get processes(): ProcessState[] {
    return this.slots.flatMap(({ part, child, restarts }) =>
      child
        ? [
            {
              name: part.name,
              kind: part.kind,
              pid: child.pid,
              state: child.state,
              since: child.since.toISOString(),
              restarts,
            },
          ]
        : [],
    );
  }

  /**
   * Starts all processes. All load the application at once; the first one migrates the database, makes the key ring and the Owner, and the
   * others use it only then.
   * @param database resolves with the address of the database when it can be used
   * @returns what each said when it was ready
   * @throws {PartFailed} when one ends before it is ready
   */
  async start(database: Promise<string>): Promise<Ready[]> {
    const children = this.slots.map((slot) => this.fork(slot));
    const ended = Promise.race(children.map(({ ended: end }) => end)).then(({ code }) => {
      throw new PartFailed(code ?? 1);
    });
    // A rejection after the start has another listener.
    ended.catch(() => undefined);
    this.databaseUrl = await Promise.race([database, ended]);
    const [first, ...others] = children;
    this.go(first!);
    await Promise.race([first!.prepared, ended]);
    for (const child of others) this.go(child);
    const all = await Promise.race([Promise.all(children.map(({ ready }) => ready)), ended]);
    for (const slot of this.slots) this.watch(slot, slot.child!);
    this.hasStarted = true;
    this.tell();
    return all;
  }

  /** Ends all processes: those that answer requests first, because they need the others. */
  async end(reason: string, drainMs: number): Promise<void> {
    this.isEnding = true;
    const all = [...this.replaced, ...this.slots.flatMap(({ child }) => child ?? [])];
    for (const kind of ['api', 'host'] as const) {
      const children = all.filter(({ part }) => part.kind === kind);
      await Promise.all(children.map((child) => this.endChild(child, reason, drainMs)));
    }
  }

  /** Ends all processes at once, without their leave. */
  kill(): void {
    this.isEnding = true;
    for (const { child } of this.slots) child?.kill();
    for (const child of this.replaced) child.kill();
  }

  /**
   * Replaces the processes one after the other by new ones, which have read the code, the settings and every file again. A new process
   * takes its part before the old one stops. Where one cannot start, the old one and all that follow stay.
   */
  async replaceAll(): Promise<void> {
    // A start reads everything itself.
    if (!this.hasStarted || this.isEnding) return;
    if (this.replacing) {
      this.isAskedAgain = true;
      return this.replacing;
    }
    this.replacing = this.replaceOneByOne();
    try {
      await this.replacing;
    } finally {
      this.replacing = null;
    }
    if (this.isAskedAgain && !this.isEnding) {
      this.isAskedAgain = false;
      await this.replaceAll();
    }
  }

  /**
   * Returns what each process answers, without those that do not answer in time.
   * @param kind asks these only
   */
  async ask(what: Question, kind?: PartKind): Promise<unknown[]> {
    const children = this.slots.flatMap(({ part, child }) =>
      child?.state === 'ready' && (kind === undefined || part.kind === kind) ? [child] : [],
    );
    const answers = await Promise.all(children.map((child) => child.ask(what, QUESTION_MS)));
    return answers.filter((answer) => answer !== null);
  }

  private async replaceOneByOne(): Promise<void> {
    for (const slot of this.slots) {
      if (this.isEnding) return;
      const old = slot.child;
      const child = this.fork(slot, old);
      this.go(child);
      const isReady = await Promise.race([
        child.ready.then(() => true),
        child.ended.then(() => false),
        sleep(START_MS, false, { ref: false }),
      ]);
      if (!isReady) {
        child.kill();
        slot.child = old;
        this.logger.error(
          `SIGHUP: ${slot.part.name} could not be replaced, and stays as it was. The line before says why.`,
          'Processes',
        );
        return;
      }
      this.watch(slot, child);
      this.tell();
      this.logger.log(`SIGHUP: ${slot.part.name} is process ${child.pid} from now on.`, 'Processes');
      // Requests of a process that answers them may last; the next one need not wait for their end.
      if (old) void this.retire(old);
    }
    this.logger.log('SIGHUP: every process was replaced.', 'Processes');
  }

  private async retire(child: Child): Promise<void> {
    this.replaced.add(child);
    await this.endChild(child, 'it was replaced', REPLACED_DRAIN_MS);
    this.replaced.delete(child);
  }

  private fork(slot: Slot, old: Child | null = null): Child {
    const child = Child.start(slot.part, (what) => this.ask(what));
    slot.child = old ?? child;
    return child;
  }

  private go(child: Child): void {
    child.send({ awp: 'go', databaseUrl: this.databaseUrl });
  }

  /** Starts a process again when it ends without having been told to. */
  private watch(slot: Slot, child: Child): void {
    slot.child = child;
    void this.startAgain(slot, child);
  }

  private async startAgain(slot: Slot, child: Child): Promise<void> {
    const { code, signal } = await child.ended;
    if (this.isEnding || slot.child !== child) return;
    slot.child = null;
    slot.restarts += 1;
    slot.failures = performance.now() - child.startedAt < STEADY_MS ? slot.failures + 1 : 0;
    this.tell();
    const pauseMs = slot.failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, 250 * 2 ** slot.failures);
    const when = pauseMs > 0 ? ` in ${pauseMs / 1000} s` : '';
    this.logger.warn(
      `${slot.part.name} (process ${child.pid}) ended with ${signal ?? `code ${code}`}. It is started again${when}.`,
      'Processes',
    );
    await sleep(pauseMs);
    if (this.isEnding) return;
    const next = this.fork(slot);
    this.go(next);
    this.watch(slot, next);
    await next.ready;
    this.tell();
  }

  private async endChild(child: Child, reason: string, drainMs: number): Promise<void> {
    child.end(reason, drainMs);
    const timer = setTimeout(() => child.kill(), drainMs + SPARE_MS);
    await child.ended;
    clearTimeout(timer);
  }

  private tell(): void {
    const { processes } = this;
    for (const { child } of this.slots) child?.send({ awp: 'state', processes });
  }
}
