import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { Transform, type Readable, type Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { killMarked, MARK, signalMarked } from './process-table.js';

const KILL_AFTER_MS = 5000;
/** How long output is awaited after the end: a program that left the run without its mark may keep the pipe open. */
const DRAIN_MS = 1000;
const TAIL = 8192;
const MEBIBYTE = 2 ** 20;

export interface ChildOptions {
  command: string[];
  cwd: string;
  env: Record<string, string>;
  mark: string;
  /** How much it may write on both outputs before it is killed. */
  maxMebibytes?: number;
  onText?: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** A process in a group of its own, with an environment of its own, that ends together with all its descendants. */
export class Child {
  /** Settles when the process has ended: with a sentence that says how. */
  readonly ended: Promise<string>;
  readonly stdin: Writable;
  readonly stdout: Readable;
  private readonly pid: number | undefined;
  code: number | null = null;
  flooded = false;
  private written = 0;
  private tail = '';
  private readonly process: ChildProcessWithoutNullStreams;

  constructor(private readonly options: ChildOptions) {
    const { command, cwd, mark } = options;
    const env = { ...options.env, [MARK]: mark };
    this.process = spawn(command[0]!, command.slice(1), { cwd, env, detached: true });
    this.pid = this.process.pid;
    this.stdin = this.process.stdin;
    // A process that has ended does not read its input. `ended` reports it.
    this.stdin.on('error', () => undefined);
    this.stdout = this.process.stdout.pipe(this.counting());
    this.read('stderr', this.process.stderr.pipe(this.counting()));
    this.ended = this.end();
  }

  /** The last lines of both outputs, for a person who asks what went wrong. */
  get lastWords(): string {
    return this.tail.trim();
  }

  /** Keeps the end of an output. Only a plain command's standard output is text. */
  read(stream: 'stdout' | 'stderr' = 'stdout', from = this.stdout): void {
    from.setEncoding('utf8').on('data', (text: string) => {
      this.tail = (this.tail + text).slice(-TAIL);
      this.options.onText?.(stream, text);
    });
  }

  /** Waits for the end, which comes early when the time is over or the signal aborts. Returns whether it was late. */
  async within(milliseconds: number, signal?: AbortSignal): Promise<boolean> {
    const late = AbortSignal.timeout(milliseconds);
    const limit = signal ? AbortSignal.any([signal, late]) : late;
    await Promise.race([this.ended, limit.aborted || once(limit, 'abort')]);
    if (limit.aborted) await this.stop();
    return late.aborted;
  }

  /** Ends the process and its descendants: SIGTERM, and SIGKILL after five seconds. */
  async stop(): Promise<void> {
    const { mark } = this.options;
    signalMarked(mark, 'SIGTERM', this.pid);
    const timer = setTimeout(() => void killMarked(mark, this.pid), KILL_AFTER_MS);
    await this.ended;
    clearTimeout(timer);
  }

  private async end(): Promise<string> {
    const { command, mark, maxMebibytes } = this.options;
    const closed = new Promise((resolve) => this.process.once('close', resolve));
    const how = await new Promise<string>((resolve) => {
      this.process.once('error', ({ message }) => resolve(`${command[0]} cannot be started: ${message}`));
      this.process.once('exit', (code, signal) => {
        this.code = code;
        resolve(signal ? `ended by ${signal}` : `ended with code ${code}`);
      });
    });
    // Descendants that it left behind would go on working without a lease.
    await killMarked(mark, this.pid);
    await Promise.race([closed, sleep(DRAIN_MS, undefined, { ref: false })]);
    return this.flooded ? `wrote more than ${maxMebibytes} MiB` : how;
  }

  private counting(): Transform {
    const { mark, maxMebibytes = Infinity } = this.options;
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.written += chunk.length;
        const isTooMuch = this.written > maxMebibytes * MEBIBYTE;
        if (isTooMuch && !this.flooded) void killMarked(mark, this.pid);
        this.flooded ||= isTooMuch;
        done(null, isTooMuch ? undefined : chunk);
      },
    });
  }
}

/** A step before or after the agent's work failed. The message ends with the last lines of its output. */
export class StepFailed extends Error {}

/** Runs a command to its end. @throws {StepFailed} when it fails, or lasts too long */
export async function runStep(name: string, options: ChildOptions, most: number, signal?: AbortSignal) {
  // Its end kills what it left behind, and must not kill the agent, which runs beside a hook under the mark of the run.
  const child = new Child({ ...options, mark: `${options.mark}/step` });
  child.read();
  child.stdin.end();
  const isLate = await child.within(most, signal);
  signal?.throwIfAborted();
  if (child.code === 0 && !isLate) return;
  const problem = isLate ? `lasted longer than ${most / 1000} s` : await child.ended;
  throw new StepFailed(`${name} ${problem}.\n\n${child.lastWords}`);
}
