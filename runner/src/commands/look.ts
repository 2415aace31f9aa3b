import { createReadStream, existsSync, readFileSync, statSync, watchFile } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../config/config-file.js';
import type { Config } from '../config/config-schema.js';
import { startTimeOf } from '../processes/process-table.js';
import { allStates, logFileOf, type RunState } from '../run/run-state.js';
import type { Flags } from './arguments.js';

/** `ps`: what runs, what is parked, and which agents are failing. */
export function ps({ workspaces: root, agents }: Config, { json }: Flags): number {
  const names = Object.keys(agents);
  const states = allStates(root, names).map((state) => ({ ...state, status: statusOf(state) }));
  const failing = names.flatMap((agent) => {
    const file = join(root, agent, '.failing');
    return existsSync(file) ? [`${agent} is failing: ${readFileSync(file, 'utf8')}`] : [];
  });
  const shown = json ? [JSON.stringify(states)] : [...states.map(lineOf), ...failing];
  process.stdout.write(shown.map((line) => `${line}\n`).join(''));
  return 0;
}

/** `logs ISSUE [-f]`: the log of an issue as JSON Lines. */
export async function logs(
  { workspaces: root, agents }: Config,
  { follow }: Flags,
  [key = '']: string[],
): Promise<number> {
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

/** A runner that was killed leaves runs that look as if they were running. */
function statusOf({ status, pid, startTime }: RunState): string {
  return status === 'running' && pid !== null && startTimeOf(pid) !== startTime ? 'left' : status;
}

type Shown = Omit<RunState, 'status'> & { status: string };

function lineOf({ agent, key, status, turns, reason, lastLine, costMicros }: Shown): string {
  const cost = costMicros > 0 ? ` ${(costMicros / 1e6).toFixed(2)} USD` : '';
  const rest = `${reason ? `: ${reason}` : ''}${lastLine ? `  | ${lastLine}` : ''}`;
  return `${agent} ${key} ${status}, turn ${turns}${cost}${rest}`;
}
