import { ConfigError } from '../config/config-file.js';
import { leaveFolder, takeFolder } from '../processes/guard.js';
import { AgentWorker, type WorkerOptions } from '../run/agent-worker.js';
import { Progress } from '../run/progress.js';
import { removeOld } from './clean.js';
import { agentsOf, load, optionsOf, type Flags } from './context.js';

const CLEAN_MS = 3_600_000;
const GIVE_UP_MS = 60_000;

/** `run [agent…]`: works until it gets SIGINT or SIGTERM. */
export async function run(flags: Flags, names: string[]): Promise<number> {
  const config = load(flags);
  const agents = agentsOf(config, names);
  const progress = new Progress(flags.json, config.workspaces);
  const workers = agents.map((agent) => optionsOf(config, agent, progress));
  for (const agent of agents) await takeFolder(config.workspaces, agent);
  // What cannot be removed now is tried again in an hour.
  const clean = () => void removeOld(config, agents).catch(() => undefined);
  clean();
  const timer = setInterval(clean, CLEAN_MS);
  progress.say('runner', `works for ${agents.join(', ')} at ${config.url}`);
  const ends = await work(workers);
  clearInterval(timer);
  return ends.includes(null) ? 1 : 0;
}

/** `once ISSUE`: works on one issue in this terminal. The service decides what comes next, so another is given back. */
export async function once(flags: Flags, [wanted = '']: string[]): Promise<number> {
  const config = load(flags);
  const [agent = ''] = agentsOf(config, flags.agent ? [flags.agent] : []);
  const progress = new Progress(flags.json, config.workspaces, !flags.json);
  const options = { ...optionsOf(config, agent, progress), worker: `once-${process.pid}`, capacity: 0 };
  await takeFolder(config.workspaces, agent);
  try {
    await take(options, wanted);
    const [worker = null] = await work([options]);
    return worker === null || worker.hasFailed ? 1 : 0;
  } finally {
    leaveFolder(config.workspaces, agent);
  }
}

/** @throws {ConfigError} when the service does not hand out the wanted issue */
async function take({ agent, service, worker }: WorkerOptions, wanted: string): Promise<void> {
  const { id, status } = await service.issue(wanted);
  const { work: items } = await service.heartbeat({ worker, leases: [], capacity: 1 }, 0);
  const item = items?.find(({ state }) => state === 'start');
  if (item?.issueId === id) return;
  let first = `It is ${status}. Assign it to ${agent}, or see GET /api/projects/issues/${wanted}/explain`;
  if (item) {
    const { token, issue } = item;
    const end = { token, route: 'release' as const, body: { token, reason: 'Not the wanted issue.' } };
    await service.end(item.issueId, end, AbortSignal.timeout(GIVE_UP_MS));
    first = `${issue?.key} comes first. Give ${wanted} a higher priority`;
  }
  throw new ConfigError(`${agent} was not given ${wanted}. ${first}, and try again.`);
}

/** Returns each worker when it has ended, or null for one that the service refused. */
function work(all: WorkerOptions[]): Promise<(AgentWorker | null)[]> {
  const workers = all.map((options) => ({ ...options, it: new AgentWorker(options) }));
  const end = () => workers.forEach(({ it }) => it.end());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  return Promise.all(
    workers.map(async ({ it, agent, root, progress }) => {
      try {
        await it.work();
        return it;
      } catch (error) {
        progress.say(agent, `takes no more work: ${(error as Error).message}`);
        return null;
      } finally {
        leaveFolder(root, agent);
      }
    }),
  );
}
