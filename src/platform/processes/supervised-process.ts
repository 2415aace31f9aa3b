import { ChildProcess, fork } from 'node:child_process';
import cluster from 'node:cluster';
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
  /** Such as `ended with SIGKILL`. */
  how: string;
}

/**
 * What Node's cluster sends: `newconn` with a connection, to a process; `ack` of its `seq`, from the one that has taken it; and
 * NODE_HANDLE_NACK, from one that has got the message without the connection.
 */
interface ClusterMessage {
  cmd?: string;
  act?: string;
  seq?: number;
  ack?: number;
  accepted?: boolean;
}
type Send = (message: ClusterMessage, connection?: { close(): void }, ...rest: unknown[]) => boolean;

/** How long after the end of a process an answer of it may still be read. */
const LAST_ANSWER_MS = 100;

/**
 * Closes the connections that a process was handed and could not take: those that it had not taken when it ended, which Node's cluster keeps open
 * in the supervisor (up to Node 24), so that their clients would wait for ever, and one for which it had no file handle. After that Node's
 * cluster would wait for an answer for ever, and hand the process no further one.
 */
function closeUntaken(process: ChildProcess): void {
  // A process that could not be started for lack of file handles has no channel.
  if (!process.send) return;
  const untaken = new Map<number, { close(): void }>();
  const send = process.send.bind(process) as Send;
  const noting: Send = (message, connection, ...rest) => {
    if (message.act === 'newconn' && message.seq !== undefined && connection)
      untaken.set(message.seq, connection);
    return send(message, connection, ...rest);
  };
  process.send = noting as ChildProcess['send'];
  process.on('internalMessage', ({ ack, cmd }: ClusterMessage) => {
    if (ack !== undefined) untaken.delete(ack);
    if (cmd !== 'NODE_HANDLE_NACK') return;
    // As if the process had taken them: then they are closed here.
    for (const seq of [...untaken.keys()])
      process.emit('internalMessage', { cmd: 'NODE_CLUSTER', ack: seq, accepted: true }, undefined);
  });
  process.once('exit', () => {
    setTimeout(() => untaken.forEach((connection) => connection.close()), LAST_ANSWER_MS);
  });
}

/**
 * Resolves when the process has ended, or could not be started. A message that cannot be delivered is an error of the process too, and no end
 * of it: the channel of one that was killed breaks before its end is noticed.
 */
export function endOf(process: ChildProcess): Promise<Ended> {
  return new Promise((resolve) => {
    process.once('exit', (code, signal) => resolve({ code, how: `ended with ${signal ?? `code ${code}`}` }));
    process.on('error', ({ message }) => {
      if (process.pid === undefined) resolve({ code: null, how: `could not be started (${message})` });
    });
  });
}

/** Node throws some errors of a start and reports the others later; here they are all reported later. */
function started(start: () => ChildProcess): ChildProcess {
  try {
    return start();
  } catch (error) {
    const none = new ChildProcess();
    process.nextTick(() => none.emit('error', error));
    return none;
  }
}

function forkOfCluster(part: Part, environment: Record<string, undefined>): ChildProcess {
  cluster.setupPrimary({ exec: MAIN, args: argumentsOf(part) });
  const worker = cluster.fork(environment);
  // It repeats the errors of its process, and without a listener the first one would end the supervisor.
  worker.on('error', () => undefined);
  closeUntaken(worker.process);
  return worker.process;
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
    this.ended = endOf(process);
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
    const process = started(() =>
      part.kind === 'host'
        ? fork(MAIN, argumentsOf(part), { env: { ...hostVariables(), ...without } })
        : forkOfCluster(part, without),
    );
    return new Child(part, process, asked);
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
