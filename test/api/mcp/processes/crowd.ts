import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect } from '@jest/globals';
import type { ServerDescription } from '../../../../src/mcp/processes/server-description-and-limits.js';
import { ServerSupervisor } from '../../../../src/mcp/processes/supervision/server-supervisor.js';
import {
  type CallOptions,
  supervisorSettings,
} from '../../../../src/mcp/processes/supervision/supervisor-settings.js';
import { until } from '../../../support/until.js';
import { aServer, STRONGEST, textOf } from './fake-servers.js';

/** How much memory a misbehaving server may cost the service at any moment, in bytes. */
const MOST_MEMORY = 50 * 1024 * 1024;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns how many bytes this process, which runs the supervisor, holds or has not yet collected. */
function memoryUsed(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function memoryHeld(): number {
  collectGarbage();
  return memoryUsed();
}

/** Collects only when it must: a collection of the whole heap of a Jest worker takes 0.3 s of processor time. */
function holdsLessThan(limit: number): boolean {
  return memoryUsed() < limit || memoryHeld() < limit;
}

/** A supervisor with one well-behaved server, beside which other servers misbehave. */
export class Crowd {
  readonly crashed: string[] = [];
  /** The names of the tools that each start of a server has listed. */
  readonly listed = new Map<string, string[][]>();
  readonly supervisor: ServerSupervisor;
  private readonly good: ServerDescription;

  constructor(private readonly dataDir: string) {
    const settings = supervisorSettings({
      sandbox: STRONGEST,
      serviceDataDir: dataDir,
      // 100 MB take a slow machine a while.
      callTimeoutMs: 90_000,
      callHardLimitMs: 100_000,
      processMemoryMb: 256,
      backOffMs: { first: 10, longest: 40 },
      watchMs: 100,
    });
    this.supervisor = new ServerSupervisor(settings, {
      onCrashLimit: (id) => this.crashed.push(id),
      onListChanged: () => undefined,
      onStartListed: async ({ serverId }, tools) => {
        this.listed.set(serverId, [
          ...(this.listed.get(serverId) ?? []),
          (tools as { name: string }[]).map(({ name }) => name),
        ]);
      },
    });
    this.good = aServer(dataDir, 'misbehaving.mjs polite');
  }

  misbehaving(mode: string, further = {}): ReturnType<typeof aServer> {
    return aServer(this.dataDir, `misbehaving.mjs ${mode}`, further);
  }

  call(
    server: ServerDescription,
    name: string,
    given = {},
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    return this.supervisor.call(server, 'shared', 'tools/call', { name, arguments: given }, options);
  }

  /** Checks that the misbehaviour ends in time, that no other server is affected, and that no memory is held. */
  async whileOthersAreServed<T>(misbehaviour: Promise<T>): Promise<T> {
    const before = memoryHeld();
    const seen = { over: false };
    const settled = misbehaviour.finally(() => (seen.over = true));
    settled.catch(() => undefined);
    await until(async () => {
      expect(textOf(await this.call(this.good, 'echo', { still: 'here' }))).toBe('{"still":"here"}');
      expect(holdsLessThan(before + MOST_MEMORY)).toBe(true);
      return seen.over;
    }, 100);
    return settled;
  }
}
