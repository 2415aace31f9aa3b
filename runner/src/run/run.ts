import { Stop } from 'agent-work-platform-client/work-loop';
import type { Schemas, WorkItem } from 'agent-work-platform-client/worker';
import { Child } from '../processes/child.js';
import { newMark } from '../processes/guard.js';
import { Workspace } from '../workspace/workspace.js';
import type { AgentSetup } from './agent-setup.js';
import { masked, RunLog } from './run-log.js';
import { logFileOf, stateFor, writeState, type RunState } from './run-state.js';

const MAX_OUTPUT = 8000;

/** How the agent reaches its tools: the MCP endpoint, with the key of the lease, and never with the agent's own. */
export type Connect = Schemas['ConnectResponse'];

/** One lease of one issue: what its driver works with, and what people see of it. */
export class Run {
  readonly stop = new Stop();
  readonly mark = newMark();
  readonly state: RunState;
  readonly log: RunLog;
  readonly workspace: Workspace;
  /** Answers that came with the issue, or in a heartbeat since, and that no prompt has carried yet. */
  readonly answers: WorkItem['answers'];
  /** The end of what the agent puts out. */
  output = '';

  constructor(
    readonly setup: AgentSetup,
    readonly item: WorkItem,
  ) {
    const { root, name, key, config } = setup;
    this.state = stateFor(root, name, item);
    this.answers = [...item.answers];
    const allowed = config.env.flatMap((one) => (one === 'HOME' ? [] : (process.env[one] ?? [])));
    // Short values are words, which a log may have.
    const secrets = [key, ...allowed.filter((value) => value.length >= 8)];
    this.log = new RunLog(logFileOf(root, name, this.state.key), secrets, root);
    this.workspace = new Workspace(setup, this.state.key, this.mark);
  }

  /** Starts the agent's process in the workspace. */
  start(env: Record<string, string> = {}): Child {
    const { config } = this.setup;
    return new Child({
      ...{ command: (config.acp ?? config.command)!, cwd: this.workspace.folder, mark: this.mark },
      env: { ...this.workspace.env, ...env },
      maxMebibytes: config.limits.output_mb,
      onText: (stream, text) => (this.log.write(stream, text), config.command && this.say(text)),
    });
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
