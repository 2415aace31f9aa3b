import { leaveFolder, takeFolder } from '../processes/guard.js';
import { Progress } from '../run/progress.js';
import { removeOld } from './clean.js';
import { agentsOf, load, workerOf, type Flags } from './context.js';

const CLEAN_MS = 3_600_000;

/** `run [agent…]`: works until it gets SIGINT or SIGTERM. */
export async function run(flags: Flags, names: string[]): Promise<number> {
  const config = load(flags);
  const agents = agentsOf(config, names);
  const root = config.workspaces;
  const progress = new Progress(flags.json, root);
  const workers = agents.map((agent) => ({ agent, worker: workerOf(config, agent, progress) }));
  for (const agent of agents) await takeFolder(root, agent);
  const end = () => workers.forEach(({ worker }) => worker.end());
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
  // What cannot be removed now is tried again in an hour.
  const clean = () => void removeOld(config, agents).catch(() => undefined);
  clean();
  const timer = setInterval(clean, CLEAN_MS);
  progress.say('runner', `works for ${agents.join(', ')} at ${config.url}`);
  const ends = await Promise.all(
    workers.map(async ({ agent, worker }) => {
      try {
        await worker.work();
        return 0;
      } catch (error) {
        progress.say(agent, `takes no more work: ${(error as Error).message}`);
        return 1;
      } finally {
        leaveFolder(root, agent);
      }
    }),
  );
  clearInterval(timer);
  return Math.max(...ends);
}
