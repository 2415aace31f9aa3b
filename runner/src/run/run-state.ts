import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathBelow, readOwn, writeOwn } from '../workspace/paths.js';
import { ISSUE_KEY } from './checked-service.js';
import type { LeaseEnd, UsageReport, WorkItem } from 'agent-work-platform-client/worker';

/** What limits count for an issue, and reports of a run for its lease. */
const NOTHING = { turns: 0, tokens: 0, costMicros: 0 };

/** What the runner remembers of an issue. A runner that was killed goes on from here. */
export type RunState = ReturnType<typeof freshState>;

const freshState = (agent: string, key: string, { issueId, token }: WorkItem) => ({
  ...{ issueId, key, agent, token, status: 'running' as 'running' | 'parked' | 'ended', reason: '' },
  ...{
    sessionId: null as string | null,
    updatedAt: '',
    created: false,
    /** The names of the news that the session has heard. */
    heard: [] as string[],
    /** News that the service counts as received, and that no prompt has carried to its end. */
    pending: '',
    logId: null as string | null,
    /** The digest of the log of the run before. */
    lastLog: '',
    ...NOTHING,
  },
  /** The figures at the start of the lease. */
  before: NOTHING,
  reports: [] as UsageReport[],
  /** The answers of people to permissions that the agent asked for, by the digest of the question. */
  permissions: {} as Record<string, string>,
  /** The gates that this runner opened for permissions: the digest of the question by the id of the gate. */
  gates: {} as Record<string, string>,
  end: null as LeaseEnd | null,
});

/** Returns what is known of an issue at the start of a lease. */
export function stateFor(root: string, agent: string, item: WorkItem): RunState {
  const key = item.issue?.key ?? item.issueId;
  const known = readState(root, agent, key);
  const state = { ...freshState(agent, key, item), ...known };
  // What a person sent back is measured by the limits again.
  if (known?.status === 'ended') Object.assign(state, NOTHING);
  if (known?.token === item.token) return state;
  // Each lease has figures and a log of its own.
  const { turns, tokens, costMicros } = state;
  return { ...state, logId: null, before: { turns, tokens, costMicros } };
}

/** @throws {ConfigError} when the file, or a folder on the way to it, is a link */
const fileOf = (root: string, agent: string, name: string) => pathBelow(root, agent, '.runs', name);
export const logFileOf = (root: string, agent: string, key: string) =>
  join(root, agent, '.runs', `${key}.jsonl`);

/**
 * Reads what is known of an issue. A file that a full disk cut off is treated like none, and so is one that is not the
 * runner's: an agent can reach it, and its names become paths.
 */
function readState(root: string, agent: string, key: string): RunState | null {
  try {
    const state = JSON.parse(readOwn(fileOf(root, agent, `${key}.json`))) as RunState;
    return ISSUE_KEY.test(key) && state.key === key && state.agent === agent ? state : null;
  } catch {
    // There is none, or it is broken: the service still knows the lease.
    return null;
  }
}

/** Writes the state beside the old one and renames it. */
export function writeState(root: string, state: RunState): void {
  try {
    const file = fileOf(root, state.agent, `${state.key}.json`);
    const next = fileOf(root, state.agent, `${state.key}.json.new`);
    writeOwn(next, JSON.stringify(state));
    renameSync(next, file);
  } catch {
    // The disk is full or the folder is gone. The run goes on: what the service needs is sent from memory.
  }
}

/** Returns all runs of these agents. */
export function allStates(root: string, agents: string[]): RunState[] {
  return agents.flatMap((agent) => {
    const folder = join(root, agent, '.runs');
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
    return names.flatMap((name) => readState(root, agent, name.slice(0, -'.json'.length)) ?? []);
  });
}

export function removeState(root: string, agent: string, key: string): void {
  for (const name of [`${key}.json`, `${key}.jsonl`]) rmSync(fileOf(root, agent, name), { force: true });
}
