import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schemas } from 'agent-work-platform-client';

/** The end of a lease that has been decided and not yet acknowledged by the service. */
export interface PendingEnd {
  token: number;
  route: 'finish' | 'release';
  body: Schemas['FinishRequest'] | Schemas['ReleaseRequest'];
}

/** Figures that an agent reported for a turn. The service counts a `reportId` once. */
export interface UsageReport {
  reportId: string;
  issueId: string;
  inputTokens: number;
  outputTokens: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
  costMicros?: number;
}

/** What the runner remembers of an issue. A runner that was killed goes on from here. */
export interface RunState {
  issueId: string;
  key: string;
  title: string;
  agent: string;
  status: 'running' | 'parked' | 'ended';
  reason: string;
  token: number;
  sessionId: string | null;
  pid: number | null;
  startTime: string | null;
  turns: number;
  tokens: number;
  costMicros: number;
  lastLine: string;
  startedAt: string;
  updatedAt: string;
  created: boolean;
  logId: string | null;
  reports: UsageReport[];
  /** The answers of people to permissions that the agent asked for, by the title of the tool call. */
  permissions: Record<string, string>;
  /** The gates that this runner opened for permissions: the title of the tool call by the id of the gate. */
  gates: Record<string, string>;
  end: PendingEnd | null;
}

const folderOf = (root: string, agent: string) => join(root, agent, '.runs');
export const logFileOf = (root: string, agent: string, key: string) =>
  join(folderOf(root, agent), `${key}.jsonl`);
const fileOf = (root: string, agent: string, key: string) => join(folderOf(root, agent), `${key}.json`);

/** Reads what is known of an issue. A file that a full disk cut off is treated like none. */
export function readState(root: string, agent: string, key: string): RunState | null {
  try {
    return JSON.parse(readFileSync(fileOf(root, agent, key), 'utf8')) as RunState;
  } catch {
    // There is none, or it is broken: the service still knows the lease.
    return null;
  }
}

/** Writes the state beside the old one and renames it. Returns false when the disk is full or the folder is gone. */
export function writeState(root: string, state: RunState): boolean {
  const file = fileOf(root, state.agent, state.key);
  try {
    mkdirSync(folderOf(root, state.agent), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${file}.new`, file);
    return true;
  } catch {
    // The run goes on: what the service needs is sent from memory.
    return false;
  }
}

/** Returns all runs below the folder of workspaces, or those of one agent. */
export function allStates(root: string, agents?: string[]): RunState[] {
  const names = agents ?? (existsSync(root) ? readdirSync(root) : []);
  return names.flatMap((agent) => {
    const folder = folderOf(root, agent);
    if (!existsSync(folder)) return [];
    const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return files.flatMap((name) => readState(root, agent, name.slice(0, -5)) ?? []);
  });
}

export function removeState(root: string, agent: string, key: string): void {
  rmSync(fileOf(root, agent, key), { force: true });
  rmSync(logFileOf(root, agent, key), { force: true });
}
