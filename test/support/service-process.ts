import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { registryReach } from './registry-reach.js';
import type { Ending, RunningService } from './running-service.js';
import { until } from './until.js';

const MAIN = resolve(import.meta.dirname, '../../dist/src/main.js');
const END_WITH_PARENT = resolve(import.meta.dirname, 'end-with-parent.mjs');
/** As a line for people, which older builds write, or in a line of the log. */
const READY = /Agent Work Platform is ready at ([^\s"]+)/;

export interface ProcessOptions {
  /** The main file of another build than this checkout's. */
  main?: string;
  /** What the main file is given, where it is a command. */
  args?: readonly string[];
  /** Where it is started, in place of the folder of the test. */
  cwd?: string;
  /** The file for the output, in place of a pipe to the test. */
  logFile?: string;
  /** The user and group of the process, where the test runs as root. */
  uid?: number | undefined;
  /** A command with its arguments that executes the process, for instance in a namespace. */
  within?: readonly string[] | undefined;
}

/** Returns the whole environment of a service with these settings: nothing else of the test's own environment. */
export function environmentOf(settings: Record<string, string>): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME, ...registryReach(), PORT: '0', PROCESSES: '1', ...settings };
}

/** One process of the built service, started as an operator does, with nothing from the environment of the test. */
export class ServiceProcess implements RunningService {
  readonly ended: Promise<Ending>;
  private output = '';
  private readonly child: ChildProcess;
  /** How many processes that answer requests are waited for. */
  private readonly awaited: number;

  constructor(
    settings: Record<string, string>,
    private readonly options: ProcessOptions = {},
  ) {
    const { main = MAIN, args: given = [], cwd, logFile, uid, within = [] } = options;
    const node = [process.execPath, '--max-semi-space-size=32', '--import', END_WITH_PARENT, main, ...given];
    const [command, ...args] = [...within, ...node];
    const environment = environmentOf(settings);
    // Only lines of the level info say that they are ready.
    const isQuiet = ['warn', 'error'].includes(environment['LOG_LEVEL'] ?? '');
    this.awaited = isQuiet ? 1 : Number(environment['PROCESSES']) || 1;
    this.child = spawn(command!, args, {
      env: environment,
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['pipe', ...outputs(logFile)],
      ...(uid === undefined ? {} : { uid, gid: uid }),
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    this.child.stdin?.on('error', () => undefined);
    this.ended = once(this.child, 'close').then(([code, signal]) => ({ code, signal }) as Ending);
  }

  /** The complete output of both streams, or the contents of the log file. */
  get log(): string {
    return this.options.logFile ? readFileSync(this.options.logFile, 'utf8') : this.output;
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('The service could not be spawned.');
    return this.child.pid;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits until the service listens with all its processes and returns its address. @throws {Error} with the output when the process ends */
  async ready(): Promise<string> {
    await until(() => this.isWhole || !this.isRunning, 60);
    if (!this.isRunning) await this.ended;
    const address = READY.exec(this.log)?.[1];
    if (!address) throw new Error(`The service ended (${JSON.stringify(await this.ended)}):\n${this.log}`);
    return address;
  }

  private get isWhole(): boolean {
    const { log } = this;
    // Those of a start that is divided come after it is ready (contract §9.5).
    const later = Array.from({ length: this.awaited - 1 }, (_, at) => `api-${at + 2} is ready as process`);
    return READY.test(log) && later.every((line) => log.includes(line));
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends SIGTERM, and SIGKILL when the process has not ended after 20 s. */
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
