import { Injectable } from '@nestjs/common';
import { SealBroken } from '../../../platform/encryption/key-ring.errors.js';
import { Problem } from '../../../platform/http/problem/problem.js';
import { isOutdated, McpUnavailable } from '../../processes/connection/mcp-errors.js';
import type { ServerDescription } from '../../processes/server-description.js';
import { CallAnswers, remoteCallOf } from '../hosts/remote-call.js';
import { ToolsHostsClient } from '../hosts/tools-hosts.client.js';
import { ServerSupervisor } from '../../processes/supervision/server-supervisor.js';
import type { CallTarget, ServerCallOptions } from './call-options.js';
import { CallStartsService } from './call-starts.service.js';
import { ServerDescriptionsService } from './server-descriptions.service.js';
import { CancellableWorkService } from './cancellable-work.service.js';

/**
 * Sends requests to installed servers and starts them where needed. The caller has already checked the right to call;
 * disabling or removing the server ends a running call.
 */
@Injectable()
export class InstalledServerClient {
  constructor(
    private readonly descriptions: ServerDescriptionsService,
    private readonly supervisor: ServerSupervisor,
    private readonly work: CancellableWorkService,
    private readonly starts: CallStartsService,
    private readonly hosts: ToolsHostsClient,
  ) {}

  /**
   * Returns the server's result with its own secrets masked.
   * @throws {McpError} when the server responds with an error
   * @throws {McpUnavailable} when there is no response; `reason` is a sentence for an agent
   */
  async call(
    target: CallTarget,
    method: string,
    params: Record<string, unknown>,
    { start, ...others }: ServerCallOptions = {},
  ): Promise<Record<string, unknown>> {
    if (this.hosts.isNeeded) return this.callElsewhere(target, method, params, { start, ...others });
    const options = { ...others, begin: start && this.starts.rule.beginOf(start) };
    const live = hasRevision(target) ? this.supervisor.callLive(target, method, params, options) : null;
    if (live) return live;
    return this.work.run(target.serverId, async (ended) => {
      const signal = options.signal ? AbortSignal.any([ended, options.signal]) : ended;
      const attempt = async (): Promise<Record<string, unknown>> => {
        const server = await this.describe(target, ended);
        return this.supervisor.call(server, target.scope, method, params, { ...options, signal });
      };
      return attempt().catch((error: unknown) => {
        if (isOutdated(error)) return attempt();
        throw error;
      });
    });
  }

  private async callElsewhere(
    target: CallTarget,
    method: string,
    params: Record<string, unknown>,
    options: ServerCallOptions,
  ): Promise<Record<string, unknown>> {
    const answers = new CallAnswers(options, (refusal) => this.starts.rule.errorOf(refusal));
    const call = remoteCallOf(target, method, params, options);
    const key = `${target.serverId}/${target.scope}`;
    try {
      return (await this.hosts.ask(key, 'call', call, answers, options.signal)) as Record<string, unknown>;
    } catch (error) {
      throw answers.withdrawn ?? error;
    }
  }

  private async describe({ serverId, scope }: CallTarget, ended: AbortSignal): Promise<ServerDescription> {
    try {
      return await this.descriptions.describe(serverId, scope, ended);
    } catch (error) {
      throw asUnavailable(error);
    }
  }
}

function hasRevision(target: CallTarget): target is Required<CallTarget> {
  return target.revision !== undefined;
}

function asUnavailable(error: unknown): unknown {
  if (error instanceof SealBroken)
    return new McpUnavailable(
      'start_failed',
      "The server's credentials cannot be decrypted. An admin must enter them again.",
    );
  if (!(error instanceof Problem)) return error;
  if (error.code === 'not_found') return new McpUnavailable('stopped', 'The server was removed.');
  return new McpUnavailable(
    'start_failed',
    `The server cannot be started: ${error.detail} An admin must fix this.`,
  );
}
