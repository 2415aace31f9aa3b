import type { WorkItem } from 'agent-work-platform-client/worker';
import { newMark } from '../processes/guard.js';
import { killIfSame } from '../processes/process-table.js';
import type { Answer } from '../drivers/prompts.js';
import { Child, StepFailed } from '../processes/child.js';
import { Workspace } from '../workspace/workspace.js';
import type { AgentSetup } from './agent-setup.js';
import { masked, RunLog } from './run-log.js';
import { logFileOf, stateFor, writeState, type RunState } from './run-state.js';
import { Stop } from './stop.js';

const MAX_OUTPUT = 8000;

/** How the agent reaches its tools: the MCP endpoint, with the key of the lease. */
export interface Connect {
  url: string;
  headers: Record<string, string>;
}

/** One lease of one issue: what its driver works with, and what people see of it. */
export class Run {
  readonly stop = new Stop();
  readonly mark = newMark();
  readonly state: RunState;
  readonly log: RunLog;
  readonly workspace: Workspace;
  /** Answers that came with the issue, or in a heartbeat since, and that no prompt has carried yet. */
  readonly answers: Answer[];
  /** The end of what the agent puts out. */
  output = '';

  constructor(
    readonly setup: AgentSetup,
    readonly item: WorkItem,
  ) {
    const { root, name, key } = setup;
    this.state = stateFor(root, name, item);
    this.answers = [...item.answers];
    const { pid, startTime } = this.state;
    if (pid !== null && startTime !== null) killIfSame(pid, startTime);
    this.log = new RunLog(logFileOf(root, name, this.state.key), [key]);
    this.workspace = new Workspace(setup, this.state.key, this.mark, this.log.secrets);
  }

  /** Returns how the agent reaches its tools. Its own key must not reach it. @throws {StepFailed} without a lease key */
  connect(): Connect {
    const connect = this.item.connect as Connect | null;
    const problem = 'The service hands out no lease keys (`connect` is null). Update the service.';
    if (connect === null) throw new StepFailed(problem);
    this.log.secrets.push(...Object.values(connect.headers).map((value) => value.replace(/^Bearer /, '')));
    return connect;
  }

  /** Starts the agent's process in the workspace. */
  start(env: Record<string, string> = {}, onText?: (text: string) => void): Child {
    const { config } = this.setup;
    const child = new Child({
      ...{ command: (config.acp ?? config.command)!, cwd: this.workspace.folder, mark: this.mark },
      env: { ...this.workspace.env, ...env },
      maxMebibytes: config.limits.output_mb,
      onText: (stream, text) => (this.log.write(stream, text), onText?.(text)),
    });
    this.update({ pid: child.pid ?? null, startTime: child.startTime });
    return child;
  }

  /** Takes the answers of people that a later heartbeat carries. */
  hear({ answers }: WorkItem): void {
    const known = new Set(this.answers.map(({ gateId }) => gateId));
    this.answers.push(...answers.filter(({ gateId }) => !known.has(gateId)));
  }

  /** Shows what the agent puts out. */
  say(text: string): void {
    this.output = (this.output + text).slice(-MAX_OUTPUT);
    if (this.setup.progress.attached) process.stdout.write(masked(text, this.log.secrets));
  }

  /** Changes the state and saves it. */
  update(change: Partial<RunState>): void {
    Object.assign(this.state, change, { updatedAt: new Date().toISOString() });
    writeState(this.setup.root, this.state);
    this.setup.progress.run(this.state);
  }
}
