import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refused } from 'agent-work-platform-client';
import type { Config } from '../config/config-schema.js';
import { serviceOf } from '../run/agent-setup.js';
import { allStates, removeState, type RunState } from '../run/run-state.js';

const KEPT_MS = 7 * 24 * 3_600_000;

/** `clean`: removes the workspaces of issues that have been closed, resolved or deleted for 7 days. */
export async function clean(config: Config): Promise<number> {
  const removed = await removeOld(config, Object.keys(config.agents));
  const text = removed.length > 0 ? `Removed ${removed.join(', ')}.` : 'Nothing is old enough to remove.';
  process.stdout.write(`${text}\n`);
  return 0;
}

/** Returns the keys of the issues whose workspaces it removed. The next worktree makes git forget those that are gone. */
export async function removeOld(config: Config, agents: string[]): Promise<string[]> {
  const removed: string[] = [];
  for (const state of allStates(config.workspaces, agents).filter(isOld)) {
    const { agent, key } = state;
    if (!(await isOver(config, state))) continue;
    rmSync(join(config.workspaces, agent, key), { recursive: true, force: true });
    removeState(config.workspaces, agent, key);
    removed.push(key);
  }
  return removed;
}

const isOld = ({ status, updatedAt }: RunState) =>
  status !== 'running' && Date.now() - Date.parse(updatedAt) > KEPT_MS;

async function isOver(config: Config, { agent, issueId }: RunState): Promise<boolean> {
  try {
    return ['Closed', 'Resolved'].includes((await serviceOf(config, agent).issue(issueId)).status);
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return true;
    throw error;
  }
}
