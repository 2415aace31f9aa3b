import { Injectable } from '@nestjs/common';
import { SealBroken } from '../../../platform/encryption/key-ring.errors.js';
import { Problem } from '../../../platform/http/problem.js';
import { McpUnavailable } from '../../processes/mcp-errors.js';
import type { ServerDescription } from '../../processes/server-description.js';
import { ServerSupervisor } from '../../processes/server-supervisor.js';
import type { CallOptions } from '../../processes/supervisor-hooks.js';
import { ServerDescriptions } from './server-descriptions.js';
import { ServerWork } from './server-work.js';

/** Which process of which server, see `scopeOf`. */
export interface CallTarget {
  serverId: string;
  scope: string;
  /** As the caller has just read it, where it has: a server that runs so is called without a look at its row. */
  revision?: string;
}

/**
 * Calls installed servers, starting them where needed. Whether the caller may is decided before; a server that
 * is disabled or removed meanwhile ends the call.
 */
@Injectable()
export class ServerCalls {
  constructor(
    private readonly descriptions: ServerDescriptions,
    private readonly supervisor: ServerSupervisor,
    private readonly work: ServerWork,
  ) {}

  /**
   * The result as the server gave it, its own secrets masked.
   * @throws {McpError} its own answer; {McpUnavailable} with a sentence for an agent, where there is none
   */
  async call(
    target: CallTarget,
    method: string,
    params: Record<string, unknown>,
    options: CallOptions = {},
  ): Promise<Record<string, unknown>> {
    const live = isRead(target) ? this.supervisor.callLive(target, method, params, options) : null;
    if (live) return live;
    return this.work.run(target.serverId, async (ended) => {
      const server = await this.describe(target, ended);
      const signal = options.signal ? AbortSignal.any([ended, options.signal]) : ended;
      return this.supervisor.call(server, target.scope, method, params, { ...options, signal });
    });
  }

  private async describe({ serverId, scope }: CallTarget, ended: AbortSignal): Promise<ServerDescription> {
    try {
      return await this.descriptions.describe(serverId, scope, ended);
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}

function isRead(target: CallTarget): target is Required<CallTarget> {
  return target.revision !== undefined;
}

function asUnavailable(error: unknown): unknown {
  if (error instanceof SealBroken)
    return new McpUnavailable(
      'start_failed',
      "The server's credentials cannot be opened. An admin has to enter them again.",
    );
  if (!(error instanceof Problem)) return error;
  if (error.code === 'not_found') return new McpUnavailable('stopped', 'The server was removed.');
  return new McpUnavailable(
    'start_failed',
    `The server cannot be started: ${error.detail} An admin has to see to it.`,
  );
}
