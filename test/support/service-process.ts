import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { registryReach } from './registry-reach.js';
import { until } from './until.js';

const MAIN = resolve(import.meta.dirname, '../../dist/src/main.js');
const END_WITH_PARENT = resolve(import.meta.dirname, 'end-with-parent.mjs');
const READY = /^Agent Work Platform is ready at (\S+)$/m;

/** How a process ended: one of the two is null. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  /** The main file of another build than this checkout's. */
  main?: string;
  /** A file to write to in place of the test's own ears. */
  logFile?: string;
}

/** One process of the built service, as an operator starts it, with nothing else of the test's own environment. */
export class ServiceProcess {
  readonly ended: Promise<Ending>;
  private heard = '';
  private readonly child: ChildProcess;

  constructor(
    settings: Record<string, string>,
    private readonly options: ProcessOptions = {},
  ) {
    const { main = MAIN, logFile } = options;
    const host = { PATH: process.env['PATH'], HOME: process.env['HOME'], ...registryReach() };
    const env = { ...host, PORT: '0', ...settings };
    this.child = spawn(process.execPath, ['--max-semi-space-size=32', '--import', END_WITH_PARENT, main], {
      env,
      stdio: ['pipe', ...outputs(logFile)],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.heard += text));
    this.child.stdin?.on('error', () => undefined);
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }) as Ending);
  }

  /** Everything that it wrote, to both streams; with a log file all that is in there. */
  get log(): string {
    return this.options.logFile ? readFileSync(this.options.logFile, 'utf8') : this.heard;
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('The service could not be spawned.');
    return this.child.pid;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits until it listens and gives its address; fails with all that it wrote when it ends instead. */
  async ready(): Promise<string> {
    await until(() => READY.test(this.log) || !this.isRunning, 60);
    if (!this.isRunning) await this.ended;
    const address = READY.exec(this.log)?.[1];
    if (!address) throw new Error(`The service ended (${JSON.stringify(await this.ended)}):\n${this.log}`);
    return address;
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** SIGTERM, and SIGKILL where it does not end by itself in 20 s. */
  async end(): Promise<Ending> {
    this.signal('SIGTERM');
    const ending = await Promise.race([this.ended, sleep(20_000, null, { ref: false })]);
    if (ending) return ending;
    this.signal('SIGKILL');
    return this.ended;
  }
}

function outputs(logFile?: string): ('pipe' | number)[] {
  if (!logFile) return ['pipe', 'pipe'];
  const file = openSync(logFile, 'a');
  return [file, file];
}
