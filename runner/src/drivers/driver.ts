import type { AgentConfig } from '../config/config-schema.js';
import type { RunLog } from '../run/run-log.js';
import type { RunState } from '../run/run-state.js';
import type { Stop } from '../run/stop.js';
import type { Service, WorkItem } from '../service/service.js';
import type { Workspace } from '../workspace/workspace.js';
import type { Connect } from './acp-agent.js';
import type { Answer } from './prompts.js';

/** All that a driver needs to work on one issue. */
export interface Job {
  readonly item: WorkItem;
  readonly connect: Connect;
  readonly config: AgentConfig;
  readonly command: string[];
  readonly workspace: Workspace;
  readonly service: Service;
  readonly log: RunLog;
  readonly state: RunState;
  readonly stop: Stop;
  readonly mark: string;
  /** Answers that came with the issue, or in a heartbeat since. */
  readonly answers: Answer[];
  /** Changes the state, saves it and shows the progress. */
  update(change: Partial<RunState>): void;
}

/** Returns the answers that no prompt has carried yet. */
export function takeAnswers(job: Job): Answer[] {
  return job.answers.splice(0);
}
