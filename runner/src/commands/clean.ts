import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refused } from 'agent-work-platform-client';
import type { Config } from '../config/config-schema.js';
import { markOfRun } from '../processes/guard.js';
import { allStates, removeState, type RunState } from '../run/run-state.js';
import { pruneWorktrees } from '../workspace/git-worktree.js';
import { load, serviceOf, type Flags } from './context.js';

const KEPT_MS = 7 * 24 * 3_600_000;

/** `clean`: removes the workspaces of issues that have been closed, resolved or deleted for 7 days. */
export async function clean(flags: Flags): Promise<number> {
  const config = load(flags);
  const removed = await removeOld(config, Object.keys(config.agents));
  process.stdout.write(
    removed.length > 0 ? `Removed ${removed.join(', ')}.\n` : 'Nothing is old enough to remove.\n',
  );
  return 0;
}

/** Returns the keys of the issues whose workspaces it removed. */
export async function removeOld(config: Config, agents: string[]): Promise<string[]> {
  const removed: string[] = [];
  for (const state of allStates(config.workspaces, agents).filter(isOld)) {
    if (!(await isOver(config, state))) continue;
    const { agent, key } = state;
    rmSync(join(config.workspaces, agent, key), { recursive: true, force: true });
    removeState(config.workspaces, agent, key);
    const git = config.agents[agent]?.git;
    if (git) await pruneWorktrees(config.workspaces, git.repo, markOfRun(config.workspaces, agent));
    removed.push(key);
  }
  return removed;
}

const isOld = ({ status, updatedAt }: RunState) =>
  status !== 'running' && Date.now() - Date.parse(updatedAt) > KEPT_MS;

async function isOver(config: Config, { agent, issueId }: RunState): Promise<boolean> {
  try {
    const { status } = await serviceOf(config, agent).issue(issueId);
    return status === 'Closed' || status === 'Resolved';
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return true;
    throw error;
  }
}
