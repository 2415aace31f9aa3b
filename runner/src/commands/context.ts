import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { readConfig, keyOf, ConfigError } from '../config/config-file.js';
import type { Config } from '../config/config-schema.js';
import type { WorkerOptions } from '../run/agent-worker.js';
import type { Progress } from '../run/progress.js';
import { Service } from '../service/service.js';

export interface Flags {
  config: string;
  json: boolean;
  follow: boolean;
  url?: string;
  agent?: string;
  acp?: string;
}

/** Returns the agents that a command names, or all. @throws {ConfigError} for a name that the file does not have */
export function agentsOf(config: Config, names: string[]): string[] {
  const unknown = names.filter((name) => !(name in config.agents));
  const known = Object.keys(config.agents);
  if (unknown.length > 0)
    throw new ConfigError(`There is no agent ${unknown.join(', ')}. The file has: ${known.join(', ')}`);
  return names.length > 0 ? names : known;
}

export const load = (flags: Flags): Config => readConfig(flags.config);

export function serviceOf(config: Config, agent: string): Service {
  return new Service(config.url.replace(/\/+$/, ''), keyOf(agent, config.agents[agent]!.key));
}

export function optionsOf(config: Config, agent: string, progress: Progress): WorkerOptions {
  const { workspaces: root, agents } = config;
  const settings = agents[agent]!;
  // Two runners of one agent on a host work in different folders, and must not share their leases.
  const place = createHash('sha256').update(root).digest('hex').slice(0, 8);
  const worker = `${hostname().slice(0, 22)}-${agent}-${place}`;
  const { capacity } = settings;
  const key = keyOf(agent, settings.key);
  return {
    root,
    agent,
    worker,
    capacity,
    key,
    config: settings,
    service: serviceOf(config, agent),
    progress,
  };
}
