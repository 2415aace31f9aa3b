import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ConfigError, keyOf } from '../config/config-file.js';
import type { Config } from '../config/config-schema.js';
import { CheckedService } from './checked-service.js';
import { Progress } from './progress.js';

/** One agent of the file, with all that its runs share. */
export type AgentSetup = ReturnType<typeof setupOf>;

/** @throws {ConfigError} when the key of the agent cannot be read */
export function setupOf({ url, workspaces: root, agents }: Config, name: string, progress = new Progress()) {
  const config = agents[name]!;
  const key = keyOf(name, config.key);
  // Two runners of one agent on a host work in different folders, and must not share their leases.
  const place = createHash('sha256').update(root).digest('hex').slice(0, 8);
  // What the service knows this runner by, also after a restart. `instance` is this start of it.
  const worker = `${hostname().slice(0, 22)}-${name}-${place}`;
  const service = new CheckedService(url, key);
  return { name, root, config, key, worker, instance: randomUUID(), progress, service };
}

/** Returns the agents that a command names, or all. @throws {ConfigError} for a name that the file does not have */
export function agentsOf(config: Config, names: string[]): string[] {
  const known = Object.keys(config.agents);
  const unknown = names.filter((name) => !known.includes(name)).join(', ');
  if (unknown) throw new ConfigError(`There is no agent ${unknown}. The file has: ${known.join(', ')}`);
  return names.length > 0 ? names : known;
}
