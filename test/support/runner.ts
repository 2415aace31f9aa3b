import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { NewAgent } from './builders.js';

/** The program of the runner. */
export const MAIN = resolve(import.meta.dirname, '../../runner/dist/main.js');
const SCRIPTED = resolve(import.meta.dirname, '../../runner/test/scripted-agent.mjs');

/** The command of the scripted agent. */
export const scripted = (...flags: string[]) => [process.execPath, SCRIPTED, ...flags];

type Settings = Record<string, unknown>;
export interface Heard {
  session: string;
  turn: number;
  prompt?: string;
  [field: string]: unknown;
}

/** A folder with an awp-runner.yaml and the keys of its agents, and the runner that works with it. */
export class Runner {
  readonly folder = mkdtempSync(join(tmpdir(), 'awp-runner-'));
  readonly root: string;
  output = '';
  private child: ChildProcess | null = null;

  /** @param agents the settings of each agent, with the agent itself; a name in the file is the last part of its name */
  constructor(
    url: string,
    private readonly agents: Record<string, Settings & { agent: NewAgent }>,
    private readonly env: Record<string, string> = {},
    root?: string,
  ) {
    this.root = root ?? join(this.folder, 'work');
    for (const [name, { agent }] of Object.entries(agents))
      writeFileSync(join(this.folder, `${name}.key`), agent.key, { mode: 0o600 });
    this.configure(url);
  }

  /** Writes the file. JSON is YAML. */
  configure(url: string, change: Settings = {}): void {
    const agents = Object.entries(this.agents).map(([name, { agent: _agent, ...settings }]) => [
      name,
      { key: `./${name}.key`, ...(settings['command'] ? {} : { acp: scripted() }), ...settings, ...change },
    ]);
    const config = { url, workspaces: this.root, agents: Object.fromEntries(agents) as Settings };
    writeFileSync(join(this.folder, 'awp-runner.yaml'), JSON.stringify(config, null, 2));
  }

  start(...args: string[]): this {
    this.child = this.spawn(['run', ...args]);
    return this;
  }

  /** Runs a command to its end. */
  async command(args: string[], env = this.env): Promise<{ code: number | null; output: string }> {
    const before = this.output.length;
    const child = this.spawn(args, env);
    await once(child, 'close');
    return { code: child.exitCode, output: this.output.slice(before) };
  }

  get pid(): number {
    return this.child!.pid!;
  }

  get isRunning(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends a signal and waits for the end. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    if (!this.isRunning) return;
    const closed = once(this.child!, 'close');
    this.child!.kill(signal);
    await closed;
  }

  async remove(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Returns the path of a file in the workspace of an issue. */
  in(agent: string, key: string, file: string): string {
    return join(this.root, agent, key, file);
  }

  read(agent: string, key: string, file: string): string {
    try {
      return readFileSync(this.in(agent, key, file), 'utf8');
    } catch {
      return '';
    }
  }

  write(agent: string, key: string, file: string): void {
    mkdirSync(this.in(agent, key, ''), { recursive: true });
    writeFileSync(this.in(agent, key, file), '');
  }

  /** What the scripted agent has heard and done on an issue. */
  heard(agent: string, key: string): Heard[] {
    const lines = this.read(agent, key, '.awp/heard.jsonl').trim().split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Heard);
  }

  private spawn(args: string[], env = this.env): ChildProcess {
    const { PATH = '', HOME = '' } = process.env;
    const file = join(this.folder, 'awp-runner.yaml');
    const child = spawn(process.execPath, [MAIN, ...args, '--config', file], {
      env: { PATH, HOME, ...env },
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    return child;
  }
}
