import { createReadStream, existsSync, readFileSync, statSync, watchFile } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config-file.js';
import { startTimeOf } from '../processes/process-table.js';
import { allStates, logFileOf, type RunState } from '../run/run-state.js';
import { load, type Flags } from './context.js';

/** `ps`: what runs, what is parked, and which agents are failing. */
export function ps(flags: Flags): number {
  const { workspaces: root, agents } = load(flags);
  const states = allStates(root, Object.keys(agents)).map((state) => ({ ...state, status: statusOf(state) }));
  if (flags.json) process.stdout.write(`${JSON.stringify(states)}\n`);
  else states.forEach((state) => process.stdout.write(`${lineOf(state)}\n`));
  for (const agent of Object.keys(agents)) {
    const file = join(root, agent, '.failing');
    if (!flags.json && existsSync(file))
      process.stdout.write(`${agent} is failing: ${readFileSync(file, 'utf8')}\n`);
  }
  return 0;
}

/** `logs ISSUE [-f]`: the log of an issue as JSON Lines. */
export async function logs(flags: Flags, [key = '']: string[]): Promise<number> {
  const { workspaces: root, agents } = load(flags);
  const agent = Object.keys(agents).find((name) => existsSync(logFileOf(root, name, key)));
  if (agent === undefined)
    throw new ConfigError(`There is no log of ${key || 'an issue without a name'} in ${root}.`);
  const file = logFileOf(root, agent, key);
  let from = 0;
  const print = async () => {
    const end = statSync(file).size;
    if (end > from)
      for await (const chunk of createReadStream(file, { start: from, end: end - 1 }))
        process.stdout.write(chunk);
    from = end;
  };
  await print();
  if (flags.follow) watchFile(file, { interval: 500 }, () => void print());
  return 0;
}

/** A runner that was killed leaves runs that look as if they were running. */
function statusOf({ status, pid, startTime }: RunState): string {
  return status === 'running' && pid !== null && startTimeOf(pid) !== startTime ? 'left' : status;
}

function lineOf({
  agent,
  key,
  status,
  turns,
  reason,
  lastLine,
  costMicros,
}: Omit<RunState, 'status'> & { status: string }) {
  const cost = costMicros > 0 ? ` ${(costMicros / 1e6).toFixed(2)} USD` : '';
  return `${agent} ${key} ${status}, turn ${turns}${cost}${reason ? `: ${reason}` : ''}${lastLine ? `  | ${lastLine}` : ''}`;
}
