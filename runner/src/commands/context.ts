import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { readConfig, keyOf, ConfigError } from '../config/config-file.js';
import type { Config } from '../config/config-schema.js';
import { AgentWorker } from '../run/agent-worker.js';
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

export function load(flags: Flags): Config {
  return readConfig(flags.config);
}

export function serviceOf(config: Config, agent: string): Service {
  return new Service(config.url.replace(/\/+$/, ''), keyOf(agent, config.agents[agent]!.key));
}

export function workerOf(config: Config, agent: string, progress: Progress): AgentWorker {
  const settings = config.agents[agent]!;
  // Two runners of one agent on a host work in different folders, and must not share their leases.
  const place = createHash('sha256').update(config.workspaces).digest('hex').slice(0, 8);
  const worker = `${hostname().slice(0, 22)}-${agent}-${place}`;
  const key = keyOf(agent, settings.key);
  const service = serviceOf(config, agent);
  return new AgentWorker({
    root: config.workspaces,
    agent,
    worker,
    key,
    config: settings,
    service,
    progress,
  });
}
