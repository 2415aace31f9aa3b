import { leaveFolder, takeFolder } from '../processes/guard.js';
import { ConfigError } from '../config/config-file.js';
import { IssueRun } from '../run/issue-run.js';
import { Progress } from '../run/progress.js';
import { keyOf } from '../config/config-file.js';
import { agentsOf, load, serviceOf, type Flags } from './context.js';

/** `once ISSUE`: works on one issue in this terminal. The service decides what comes next, so another issue is given back. */
export async function once(flags: Flags, [wanted = '']: string[]): Promise<number> {
  const config = load(flags);
  const root = config.workspaces;
  const [agent = ''] = agentsOf(config, flags.agent ? [flags.agent] : []);
  const service = serviceOf(config, agent);
  const { id, status } = await service.issue(wanted);
  await takeFolder(root, agent);
  const worker = `once-${process.pid}`;
  const signal = AbortSignal.timeout(60_000);
  const { work } = await service.heartbeat({ worker, leases: [], capacity: 1 }, 0, signal);
  const item = (work ?? []).find(({ state }) => state === 'start');
  if (item?.issueId !== id) {
    const end = {
      token: item?.token ?? 0,
      route: 'release' as const,
      body: { token: item?.token ?? 0, reason: 'Not the wanted issue.' },
    };
    if (item) await service.end(item.issueId, end, signal);
    leaveFolder(root, agent);
    const first = item
      ? `${item.issue?.key} comes first. Give ${wanted} a higher priority`
      : `It is ${status}. Assign it to ${agent}, or see GET /api/projects/issues/${wanted}/explain`;
    throw new ConfigError(`${agent} was not given ${wanted}. ${first}, and try again.`);
  }
  const progress = new Progress(flags.json, root);
  const settings = config.agents[agent]!;
  const options = { root, agent, key: keyOf(agent, settings.key), config: settings, service, item };
  let line = '';
  const run = new IssueRun({
    ...options,
    onProgress: (state) => {
      progress.run(state);
      if (state.lastLine !== line) progress.say(agent, `  ${(line = state.lastLine)}`);
    },
  });
  const end = () => run.stop.request('shutdown');
  process.once('SIGINT', end).once('SIGTERM', end);
  const beats = setInterval(() => {
    const leases = [{ issueId: item.issueId, token: item.token }];
    // The next heartbeat makes up for one that is lost.
    void service.heartbeat({ worker, leases, capacity: 0 }, 0, AbortSignal.timeout(10_000)).then(
      ({ work: now }) =>
        now?.forEach(({ state, reason }) => state === 'stop' && run.stop.request(reason ?? 'lease_lost')),
      () => undefined,
    );
  }, 5000);
  await run.run();
  clearInterval(beats);
  leaveFolder(root, agent);
  return run.failure === null ? 0 : 1;
}
