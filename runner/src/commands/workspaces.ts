import { createReadStream, existsSync, rmSync, statSync, watchFile } from 'node:fs';
import { Refused } from 'agent-work-platform-client';
import { ConfigError } from '../config/config-file.js';
import type { Config } from '../config/config-schema.js';
import { failuresOf } from '../processes/guard.js';
import { setupOf } from '../run/agent-setup.js';
import { pathBelow } from '../workspace/paths.js';
import { allStates, logFileOf, removeState, type RunState } from '../run/run-state.js';
import type { Flags } from './arguments.js';

const KEPT_MS = 7 * 24 * 3_600_000;

/** `ps`: what runs, what is parked, and which agents are failing. */
export function ps({ workspaces: root, agents }: Config, { json }: Flags): number {
  const names = Object.keys(agents);
  const states = allStates(root, names);
  const shown = json ? [JSON.stringify(states)] : [...states.map(lineOf), ...failuresOf(root, names)];
  process.stdout.write(shown.map((line) => `${line}\n`).join(''));
  return 0;
}

/** `logs ISSUE [-f]`: the log of an issue as JSON Lines. */
export async function logs({ workspaces: root, agents }: Config, { follow }: Flags, [key = '']: string[]) {
  const files = Object.keys(agents).map((agent) => logFileOf(root, agent, key));
  const file = files.find((name) => existsSync(name));
  if (file === undefined) throw new ConfigError(`There is no log of ${key || 'no issue'} in ${root}.`);
  let from = 0;
  const print = async () => {
    const [start, end] = [from, statSync(file).size];
    from = end;
    if (end > start)
      for await (const chunk of createReadStream(file, { start, end: end - 1 })) process.stdout.write(chunk);
  };
  await print();
  if (follow) watchFile(file, { interval: 500 }, () => void print());
  return 0;
}

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
    if (!['Closed', 'Resolved', 'deleted'].includes(await statusOf(config, state))) continue;
    rmSync(pathBelow(config.workspaces, agent, key), { recursive: true, force: true });
    removeState(config.workspaces, agent, key);
    removed.push(key);
  }
  return removed;
}

const isOld = ({ status, updatedAt }: RunState) =>
  status !== 'running' && Date.now() - Date.parse(updatedAt) > KEPT_MS;

async function statusOf(config: Config, { agent, issueId }: RunState): Promise<string> {
  try {
    return (await setupOf(config, agent).service.issue(issueId)).status;
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return 'deleted';
    throw error;
  }
}

const lineOf = ({ agent, key, status, turns, reason }: RunState) =>
  `${agent} ${key} ${status}, turn ${turns}${reason && `: ${reason}`}`;
