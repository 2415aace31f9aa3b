import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggerService } from '@nestjs/common';
import { RateLimiterClusterMaster } from 'rate-limiter-flexible';
import type { FirstOwner, ProcessState, Question } from '../config/parent-channel.js';
import { isFirst, type Part, type PartKind } from '../config/process-roles-and-plan.js';
import type { Readiness } from './health-endpoint.js';
import { Child, type Ready } from './supervised-process.js';

/** How long a process may take to become ready before it is killed. A migration before that may take as long as it needs. */
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

/** What the supervisor needs of a process. */
export type Supervised = Pick<Child, keyof Child>;

interface Slot {
  part: Part;
  /** The process that has the part; null between its end and the start of the next one. */
  child: Supervised | null;
  /** The process that takes the part over once it is ready; null but during a replacement. */
  successor: Supervised | null;
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
  /** Counts the requests of each key, for all processes together. */
  readonly rates = new RateLimiterClusterMaster();
  private databaseUrl = '';
  private hasStarted = false;
  private isEnding = false;
  /** Every process that has not ended: also those that are not ready, and those that were replaced and finish what they have. */
  private readonly living = new Set<Supervised>();
  private isReplacing = false;
  private isAskedAgain = false;

  constructor(
    parts: readonly Part[],
    private readonly logger: LoggerService,
    /** Shows the Owner that a later process has made: settings that have changed may name an empty database. */
    private readonly showOwner: (owner: FirstOwner) => void,
    private readonly startProcess: (...given: Parameters<typeof Child.start>) => Supervised = Child.start,
  ) {
    this.slots = parts.map((part) => ({ part, child: null, successor: null, restarts: 0, failures: 0 }));
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
   * Starts the first process and the host. Both load and create the application at once; the first one migrates the database, makes the key
   * ring and the Owner, and the host uses it only then. Those that only add capacity start after them, because each would take
   * processor time from the first one.
   * @param database resolves with the address of the database when it can be used
   * @returns what each said when it was ready
   * @throws {PartFailed} when one ends before it is ready
   */
  async start(database: Promise<string>): Promise<Ready[]> {
    const needed = this.slots.filter(({ part }) => isFirst(part) || part.kind === 'host');
    const children = needed.map((slot) => (slot.child = this.fork(slot.part)));
    const ended = Promise.race(children.map((child) => this.failed(child)));
    // A rejection after the start has another listener.
    ended.catch(() => undefined);
    this.databaseUrl = await Promise.race([database, ended]);
    const [first, ...others] = children;
    this.go(first!);
    for (const child of others) child.send({ awp: 'database', databaseUrl: this.databaseUrl });
    await Promise.race([first!.prepared, ended]);
    for (const child of others) this.go(child);
    const all = await Promise.race([Promise.all(children.map(({ ready }) => ready)), ended]);
    for (const slot of needed) void this.startAgain(slot, slot.child!);
    this.hasStarted = true;
    if (this.isEnding) return all;
    for (const slot of this.slots) if (!slot.child) this.begin(slot);
    this.tell();
    // Its processes may have read their files before the signal.
    if (this.isAskedAgain) void this.replaceAll();
    return all;
  }

  /** Ends all processes: those that answer requests first, because they need the others. */
  async end(reason: string, drainMs: number): Promise<void> {
    this.isEnding = true;
    for (const kind of ['api', 'host'] as const) {
      const children = [...this.living].filter(({ part }) => part.kind === kind);
      await Promise.all(children.map((child) => this.endChild(child, reason, drainMs)));
    }
  }

  /** Ends all processes at once, without their leave. */
  kill(): void {
    this.isEnding = true;
    for (const child of this.living) child.kill();
  }

  /**
   * Replaces the processes one after the other by new ones, which have read the code, the settings and every file again. A new process
   * takes its part before the old one stops. Where one cannot start, the old one and all that follow stay.
   */
  async replaceAll(): Promise<void> {
    if (this.isEnding) return;
    this.isAskedAgain = true;
    if (this.isReplacing || !this.hasStarted) return;
    this.isReplacing = true;
    while (this.isAskedAgain && !this.isEnding) {
      this.isAskedAgain = false;
      await this.replaceOneByOne();
    }
    this.isReplacing = false;
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

  /** Returns what the processes that answer requests say of themselves, the host having no part in it; null where none answers in time. */
  async readiness(): Promise<Readiness | null> {
    if (this.isEnding) return { status: 'unavailable', checks: { shutdown: 'in progress' } };
    const [first] = (await this.ask('readiness', 'api')) as Readiness[];
    return first ?? null;
  }

  private async replaceOneByOne(): Promise<void> {
    for (const slot of this.slots) {
      const successor = (slot.successor = this.fork(slot.part));
      this.go(successor);
      const problem = await this.problemOf(successor);
      slot.successor = null;
      if (this.isEnding) return;
      if (problem !== null) return this.keep(slot, problem);
      const old = slot.child;
      this.take(slot, successor);
      this.logger.log(`SIGHUP: ${slot.part.name} is process ${successor.pid} from now on.`, 'Processes');
      await this.showOwnerOf(successor);
      // Requests of a process that answers them may last; the next one need not wait for their end.
      if (old) void this.endChild(old, 'it was replaced', REPLACED_DRAIN_MS);
    }
    this.logger.log('SIGHUP: every process was replaced.', 'Processes');
  }

  /** The successor could not start, so that the old process goes on. It is started again where it has ended meanwhile. */
  private keep(slot: Slot, problem: string): void {
    this.logger.error(
      `SIGHUP: ${slot.part.name} could not be replaced, and stays as it was: the new process ${problem}.`,
      'Processes',
    );
    if (!slot.child) this.begin(slot);
  }

  /** Returns null once the process is ready, or how it ended before; it is killed where it does not become ready in time. */
  private async problemOf(child: Supervised): Promise<string | null> {
    const ended = child.ended.then(({ how }) => how);
    if (isFirst(child.part)) await Promise.race([child.prepared, ended]);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(`was not ready within ${START_MS / 1000} s`), START_MS);
    });
    const problem = await Promise.race([child.ready.then(() => null), ended, late]);
    clearTimeout(timer);
    if (problem !== null) child.kill();
    return problem;
  }

  private fork(part: Part): Supervised {
    const child = this.startProcess(part, (what) => this.ask(what));
    this.living.add(child);
    void child.ended.then(() => this.living.delete(child));
    return child;
  }

  private go(child: Supervised): void {
    child.send({ awp: 'go', databaseUrl: this.databaseUrl });
  }

  /** @throws {PartFailed} when the process ends */
  private async failed(child: Supervised): Promise<never> {
    const { code, how } = await child.ended;
    // One that has run says itself why it ends with a code.
    if (code === null && !this.hasStarted && !this.isEnding)
      this.logger.error(`${child.part.name} ${how}.`, 'Processes');
    throw new PartFailed(code ?? 1);
  }

  /** Makes this the process of its part, which is started again when it ends without having been told to. */
  private take(slot: Slot, child: Supervised): void {
    slot.child = child;
    void this.startAgain(slot, child);
    this.tell();
  }

  private begin(slot: Slot): void {
    const child = this.fork(slot.part);
    this.go(child);
    this.take(slot, child);
    void this.report(slot, child);
  }

  /** Says when the process has its part. */
  private async report({ part }: Slot, child: Supervised): Promise<void> {
    const problem = await this.problemOf(child);
    this.tell();
    if (problem !== null) return;
    this.logger.log(`${part.name} is ready as process ${child.pid}.`, 'Processes');
    await this.showOwnerOf(child);
  }

  private async showOwnerOf(child: Supervised): Promise<void> {
    const { owner } = await child.ready;
    if (owner) this.showOwner(owner);
  }

  private async startAgain(slot: Slot, child: Supervised): Promise<void> {
    const { how } = await child.ended;
    if (this.isEnding || slot.child !== child) return;
    slot.child = null;
    slot.restarts += 1;
    slot.failures = performance.now() - child.startedAt < STEADY_MS ? slot.failures + 1 : 0;
    this.tell();
    const pauseMs = slot.failures === 0 ? 0 : Math.min(LONGEST_PAUSE_MS, 250 * 2 ** slot.failures);
    const when = pauseMs > 0 ? ` in ${pauseMs / 1000} s` : '';
    this.logger.warn(
      `${slot.part.name} (process ${child.pid}) ${how}. It is started again${when}.`,
      'Processes',
    );
    if (pauseMs > 0) await sleep(pauseMs);
    // A replacement that began meanwhile takes the part, or starts it again where it fails.
    if (!this.isEnding && !slot.child && !slot.successor) this.begin(slot);
  }

  private async endChild(child: Supervised, reason: string, drainMs: number): Promise<void> {
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
