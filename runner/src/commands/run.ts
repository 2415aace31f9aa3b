import { ConfigError } from '../config/config-file.js';
import type { Config } from '../config/config-schema.js';
import { takeFolder } from '../processes/guard.js';
import { agentsOf, setupOf, type AgentSetup } from '../run/agent-setup.js';
import { AgentWorker } from '../run/agent-worker.js';
import { Progress } from '../run/progress.js';
import type { Flags } from './arguments.js';
import { removeOld } from './workspaces.js';

const CLEAN_MS = 3_600_000;

/** `run [agent…]`: works until it gets SIGINT or SIGTERM. */
export async function run(config: Config, { json }: Flags, names: string[]): Promise<number> {
  const agents = agentsOf(config, names);
  const progress = new Progress(json);
  const setups = agents.map((agent) => setupOf(config, agent, progress));
  const workers: AgentWorker[] = [];
  for (const setup of setups) {
    const hadRunner = await takeFolder(config.workspaces, setup.name);
    workers.push(new AgentWorker(setup, setup.config.capacity, hadRunner));
  }
  // What cannot be removed now is tried again in an hour.
  const clean = () => void removeOld(config, agents).catch(() => undefined);
  clean();
  setInterval(clean, CLEAN_MS).unref();
  progress.say('runner', `works for ${agents.join(', ')} at ${config.url}`);
  return (await work(workers)) ? 0 : 1;
}

/** `once ISSUE`: works on one issue in this terminal. The service decides what comes next, so another is given back. */
export async function once(config: Config, { agent, json }: Flags, [wanted = '']: string[]): Promise<number> {
  const [name = ''] = agentsOf(config, agent ? [agent] : []);
  const shared = setupOf(config, name, new Progress(json, !json));
  const setup = { ...shared, worker: `once-${process.pid}-${shared.worker}`.slice(0, 64) };
  await takeFolder(config.workspaces, name);
  await take(setup, wanted);
  const worker = new AgentWorker(setup, 0);
  return (await work([worker])) && !worker.failure.text ? 0 : 1;
}

/** @throws {ConfigError} when the service does not hand out the wanted issue */
async function take({ name, service, worker, instance }: AgentSetup, wanted: string): Promise<void> {
  const { id, status } = await service.issue(wanted);
  const { work: items } = await service.heartbeat({ worker, instance, leases: [], capacity: 1 }, 0);
  const item = items?.find(({ state }) => state === 'start');
  if (item?.issueId === id) return;
  let first = `It is ${status}. Assign it to ${name}, or see GET /api/projects/issues/${wanted}/explain`;
  if (item) {
    await service.release(item.issueId, item.token, 'Not the wanted issue.');
    first = `${item.issue?.key} comes first. Give ${wanted} a higher priority`;
  }
  throw new ConfigError(`${name} was not given ${wanted}. ${first}, and try again.`);
}

/** Returns whether all workers have ended without a refusal of the service. */
async function work(workers: AgentWorker[]): Promise<boolean> {
  const end = () => workers.forEach((worker) => worker.end());
  // A second one ends the runner at once, and its watcher ends the processes. The next start goes on from there.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  return (await Promise.all(workers.map((worker) => worker.work()))).every(Boolean);
}
