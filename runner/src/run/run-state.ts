import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PendingEnd, UsageReport, WorkItem } from '../service/service.js';

/** What limits count for an issue, and reports of a run for its lease. */
export const NOTHING = { turns: 0, tokens: 0, costMicros: 0 };

/** What the runner remembers of an issue. A runner that was killed goes on from here. */
export type RunState = ReturnType<typeof freshState>;

export const freshState = (agent: string, key: string, { issueId, token }: WorkItem) => ({
  ...{ issueId, key, agent, token, status: 'running' as 'running' | 'parked' | 'ended', reason: '' },
  ...{ sessionId: null as string | null, pid: null as number | null, startTime: null as string | null },
  ...{ lastLine: '', updatedAt: '', created: false, brief: '', logId: null as string | null, ...NOTHING },
  /** The figures at the start of the lease. */
  before: NOTHING,
  reports: [] as UsageReport[],
  /** The answers of people to permissions that the agent asked for, by the title of the tool call. */
  permissions: {} as Record<string, string>,
  /** The gates that this runner opened for permissions: the title of the tool call by the id of the gate. */
  gates: {} as Record<string, string>,
  end: null as PendingEnd | null,
});

const folderOf = (root: string, agent: string) => join(root, agent, '.runs');
const fileOf = (root: string, agent: string, key: string) => join(folderOf(root, agent), `${key}.json`);
export const logFileOf = (root: string, agent: string, key: string) =>
  join(folderOf(root, agent), `${key}.jsonl`);

/** Reads what is known of an issue. A file that a full disk cut off is treated like none. */
export function readState(root: string, agent: string, key: string): RunState | null {
  try {
    return JSON.parse(readFileSync(fileOf(root, agent, key), 'utf8')) as RunState;
  } catch {
    // There is none, or it is broken: the service still knows the lease.
    return null;
  }
}

/** Writes the state beside the old one and renames it. */
export function writeState(root: string, state: RunState): void {
  const file = fileOf(root, state.agent, state.key);
  try {
    mkdirSync(folderOf(root, state.agent), { recursive: true, mode: 0o700 });
    writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // The disk is full or the folder is gone. The run goes on: what the service needs is sent from memory.
  }
}

/** Returns all runs of these agents. */
export function allStates(root: string, agents: string[]): RunState[] {
  return agents.flatMap((agent) => {
    const files = filesIn(folderOf(root, agent)).filter((name) => name.endsWith('.json'));
    return files.flatMap((name) => readState(root, agent, name.slice(0, -5)) ?? []);
  });
}

export function removeState(root: string, agent: string, key: string): void {
  rmSync(fileOf(root, agent, key), { force: true });
  rmSync(logFileOf(root, agent, key), { force: true });
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // The agent has not worked yet.
    return [];
  }
}
