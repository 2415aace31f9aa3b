import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { WorkerApi } from 'agent-work-platform-client/worker';
import { ConfigError, keyOf } from '../config/config-file.js';
import type { AgentConfig, Config } from '../config/config-schema.js';
import type { Progress } from './progress.js';

/** One agent of the file, with all that its runs share. */
export class AgentSetup {
  readonly root: string;
  readonly config: AgentConfig;
  readonly key: string;
  readonly service: WorkerApi;
  /** What the service knows this runner by, also after a restart. */
  readonly worker: string;

  constructor(
    file: Config,
    readonly name: string,
    readonly progress: Progress,
  ) {
    this.root = file.workspaces;
    this.config = file.agents[name]!;
    this.key = keyOf(name, this.config.key);
    this.service = serviceOf(file, name);
    // Two runners of one agent on a host work in different folders, and must not share their leases.
    const place = createHash('sha256').update(this.root).digest('hex').slice(0, 8);
    this.worker = `${hostname().slice(0, 22)}-${name}-${place}`;
  }
}

/** Returns the service as an agent uses it. @throws {ConfigError} when the key of the agent cannot be read */
export const serviceOf = ({ url, agents }: Config, name: string) =>
  new WorkerApi(url, keyOf(name, agents[name]!.key));

/** Returns the agents that a command names, or all. @throws {ConfigError} for a name that the file does not have */
export function agentsOf(config: Config, names: string[]): string[] {
  const known = Object.keys(config.agents);
  const unknown = names.filter((name) => !known.includes(name)).join(', ');
  if (unknown) throw new ConfigError(`There is no agent ${unknown}. The file has: ${known.join(', ')}`);
  return names.length > 0 ? names : known;
}
