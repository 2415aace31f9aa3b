import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { Transform, type Readable, type Writable } from 'node:stream';
import { killMarked, MARK, signalMarked, startTimeOf } from './process-table.js';

const KILL_AFTER_MS = 5000;
const TAIL = 8192;

export interface ChildOptions {
  command: string[];
  cwd: string;
  env: Record<string, string>;
  mark: string;
  /** How many bytes it may write on both outputs before it is killed. */
  maxOutput: number;
  onLine?: (stream: 'stdout' | 'stderr', text: string) => void;
}

/** A process in a group of its own, with an environment of its own, that ends together with all its descendants. */
export class Child {
  /** Settles when the process has ended: with a sentence that says how. */
  readonly ended: Promise<string>;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly startTime: string | null;
  code: number | null = null;
  flooded = false;
  private written = 0;
  private tail = '';
  private readonly process: ChildProcessByStdio<Writable, Readable, Readable>;

  constructor(private readonly options: ChildOptions) {
    const [program = '', ...args] = options.command;
    const env = { ...options.env, [MARK]: options.mark };
    this.process = spawn(program, args, {
      cwd: options.cwd,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.startTime = this.process.pid === undefined ? null : startTimeOf(this.process.pid);
    this.stdin = this.process.stdin;
    // A process that has ended does not read its input. `ended` reports it.
    this.stdin.on('error', () => undefined);
    this.stdout = this.process.stdout.pipe(this.counting());
    this.process.stderr.pipe(this.counting()).on('data', (chunk: Buffer) => this.note('stderr', chunk));
    this.ended = this.end();
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** The last lines of both outputs, for a person who asks what went wrong. */
  get lastWords(): string {
    return this.tail.trim();
  }

  /** Keeps the end of the output. Only a plain command's standard output is text. */
  readText(): void {
    this.stdout.on('data', (chunk: Buffer) => this.note('stdout', chunk));
  }

  /** Ends the process and its descendants: SIGTERM, and SIGKILL after five seconds. */
  async stop(): Promise<void> {
    signalMarked(this.options.mark, 'SIGTERM', this.pid);
    const timer = setTimeout(() => void killMarked(this.options.mark, this.pid), KILL_AFTER_MS);
    await this.ended;
    clearTimeout(timer);
  }

  private async end(): Promise<string> {
    const how = await new Promise<string>((resolve) => {
      this.process.once('error', (error) =>
        resolve(`${this.options.command[0]} cannot be started: ${error.message}`),
      );
      this.process.once('exit', (code, signal) => {
        this.code = code;
        resolve(signal ? `ended by ${signal}` : `ended with code ${code}`);
      });
    });
    // Descendants that it left behind would go on working without a lease.
    await killMarked(this.options.mark, this.pid);
    if (this.flooded) return `wrote more than ${this.options.maxOutput / 2 ** 20} MiB`;
    return how;
  }

  private counting(): Transform {
    return new Transform({
      transform: (chunk: Buffer, _encoding, done) => {
        this.written += chunk.length;
        if (this.written > this.options.maxOutput && !this.flooded) {
          this.flooded = true;
          void killMarked(this.options.mark, this.pid);
        }
        done(null, this.flooded ? undefined : chunk);
      },
    });
  }

  private note(stream: 'stdout' | 'stderr', chunk: Buffer): void {
    const text = chunk.toString('utf8');
    this.tail = (this.tail + text).slice(-TAIL);
    this.options.onLine?.(stream, text);
  }
}
