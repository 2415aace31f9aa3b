import { type ChildProcess, fork } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { join } from 'node:path';
import { addedByEnvFile, hostVariables } from '../config/load-settings.js';
import { argumentsOf, type FromParent, type Question, type ToParent } from '../config/parent-channel.js';
import type { Part } from '../config/process-roles-and-plan.js';

const MAIN = join(import.meta.dirname, '../../main.js');

/** What a process says once it takes its part. */
export type Ready = Extract<ToParent, { awp: 'ready' }>;

/** How a process ended. */
export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** What Node's cluster sends: `newconn` with a connection, to a process; `ack` of its `seq`, from the one that has taken it. */
interface ClusterMessage {
  act?: string;
  seq?: number;
  ack?: number;
}
type Send = (message: ClusterMessage, connection?: { close(): void }, ...rest: unknown[]) => boolean;

/** How long after the end of a process an answer of it may still be read. */
const LAST_ANSWER_MS = 100;

/**
 * Closes the connections that a process was handed and had not taken when it ended. Node's cluster keeps them open in the supervisor (up to
 * Node 24), so that their clients would wait for ever.
 */
function closeUntaken(process: ChildProcess): void {
  const untaken = new Map<number, { close(): void }>();
  const send = process.send.bind(process) as Send;
  const noting: Send = (message, connection, ...rest) => {
    if (message.act === 'newconn' && message.seq !== undefined && connection)
      untaken.set(message.seq, connection);
    return send(message, connection, ...rest);
  };
  process.send = noting as ChildProcess['send'];
  process.on('internalMessage', ({ ack }: ClusterMessage) => {
    if (ack !== undefined) untaken.delete(ack);
  });
  process.once('exit', () => {
    setTimeout(() => untaken.forEach((connection) => connection.close()), LAST_ANSWER_MS);
  });
}

/** A process of the start, as its supervisor sees it. */
export class Child {
  readonly since = new Date();
  /** The same as a moment of `performance.now()`. */
  readonly startedAt = performance.now();
  readonly prepared: Promise<void>;
  /** Never resolves where the process ends first. */
  readonly ready: Promise<Ready>;
  readonly ended: Promise<Ended>;
  state: 'starting' | 'ready' | 'ending' = 'starting';
  /** What it gets when it listens; null from then on. */
  private unsent: FromParent[] | null = [];
  private readonly waiting = new Map<number, (body: unknown) => void>();
  private next = 0;

  private constructor(
    readonly part: Part,
    private readonly process: ChildProcess,
    asked: (what: Question) => Promise<unknown>,
  ) {
    this.ended = once(process, 'exit').then(([code, signal]) => ({ code, signal }) as Ended);
    // A message that cannot be sent any more is of no use either: `ended` says that the process is gone.
    process.on('error', () => undefined);
    let prepared = (): void => undefined;
    let ready: (said: Ready) => void = () => undefined;
    this.prepared = new Promise((resolve) => (prepared = resolve));
    this.ready = new Promise((resolve) => (ready = resolve));
    process.on('message', (message: ToParent) => {
      if (message.awp === 'hello') this.sendUnsent();
      else if (message.awp === 'prepared') prepared();
      else if (message.awp === 'ready') {
        this.state = 'ready';
        ready(message);
      } else if (message.awp === 'answer') this.waiting.get(message.id)?.(message.body);
      else if (message.awp === 'ask')
        void asked(message.what).then((body) => this.send({ awp: 'answer', id: message.id, body }));
    });
  }

  /**
   * Starts a process of this part. A process that answers requests is one of Node's cluster: the supervisor has the address, accepts the
   * connections, and hands them out in turn. The other one listens at an address of its own.
   * @param asked answers what the process wants to know of all
   */
  static start(part: Part, asked: (what: Question) => Promise<unknown>): Child {
    // A file of settings that has changed counts, so what the supervisor read from it must not win over it.
    const without = Object.fromEntries(addedByEnvFile().map((name) => [name, undefined]));
    if (part.kind === 'host')
      return new Child(
        part,
        fork(MAIN, argumentsOf(part), { env: { ...hostVariables(), ...without } }),
        asked,
      );
    cluster.setupPrimary({ exec: MAIN, args: argumentsOf(part) });
    const worker = cluster.fork(without);
    // It repeats the errors of its process, and without a listener the first one would end the supervisor.
    worker.on('error', () => undefined);
    closeUntaken(worker.process);
    return new Child(part, worker.process, asked);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  send(message: FromParent): void {
    if (this.unsent) this.unsent.push(message);
    else if (this.process.connected) this.process.send(message, () => undefined);
  }

  private sendUnsent(): void {
    const messages = this.unsent ?? [];
    this.unsent = null;
    for (const message of messages) this.send(message);
  }

  /** Returns what the process answers, or null when it does not within the time. */
  ask(what: Question, withinMs: number): Promise<unknown> {
    const id = (this.next += 1);
    return new Promise((resolve) => {
      const settle = (body: unknown) => {
        clearTimeout(timer);
        this.waiting.delete(id);
        resolve(body);
      };
      const timer = setTimeout(() => settle(null), withinMs);
      this.waiting.set(id, settle);
      this.send({ awp: 'ask', id, what });
    });
  }

  /** Lets the process finish what it has, for up to this time. */
  end(reason: string, drainMs: number): void {
    this.state = 'ending';
    this.send({ awp: 'end', reason, drainMs });
  }

  kill(): void {
    this.process.kill('SIGKILL');
  }
}
