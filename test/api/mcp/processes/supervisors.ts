import type { ServerDescription } from '../../../../src/mcp/processes/server-description-and-limits.js';
import { ServerSupervisor } from '../../../../src/mcp/processes/supervision/server-supervisor.js';
import {
  type CallOptions,
  supervisorSettings,
  type SupervisorSettings,
} from '../../../../src/mcp/processes/supervision/supervisor-settings.js';
import { aServer, textOf } from './fake-servers.js';

const supervisors: ServerSupervisor[] = [];

/** Makes a supervisor at the level that works everywhere; `crashed` collects the servers that crashed too often. */
export function aSupervisor(
  serviceDataDir: string,
  given: Partial<SupervisorSettings> = {},
  crashed: string[] = [],
): ServerSupervisor {
  const settings = supervisorSettings({ sandbox: 'process-group', serviceDataDir, watchMs: 20, ...given });
  const hooks = {
    onCrashLimit: (serverId: string) => crashed.push(serverId),
    onListChanged: () => undefined,
    onStartListed: async () => undefined,
  };
  const supervisor = new ServerSupervisor(settings, hooks);
  supervisors.push(supervisor);
  return supervisor;
}

export async function shutDownAll(): Promise<void> {
  await Promise.all(supervisors.splice(0).map((supervisor) => supervisor.shutdown()));
}

/** Describes a well-behaved server with the tools echo, pid, environment, count and wait. */
export function aPoliteServer(dataDir: string, further = {}): ReturnType<typeof aServer> {
  const prior = { era: 'legacy' as const, at: new Date().toISOString() };
  return aServer(dataDir, 'misbehaving.mjs polite', { prior, ...further });
}

/** Calls a tool and returns the text of its result. */
export async function call(
  supervisor: ServerSupervisor,
  server: ServerDescription,
  name: string,
  given = {},
  scope = 'shared',
  options: CallOptions = {},
): Promise<string> {
  return textOf(await supervisor.call(server, scope, 'tools/call', { name, arguments: given }, options));
}
