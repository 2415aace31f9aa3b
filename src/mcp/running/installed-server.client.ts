import { Injectable } from '@nestjs/common';
import { SealBroken } from '../../platform/encryption/key-ring.js';
import { Problem } from '../../platform/http/problem.js';
import { isOutdated, McpUnavailable } from '../processes/connection/mcp-errors.js';
import type { ServerDescription } from '../processes/server-description-and-limits.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import { CancellableWorkService } from '../server-processes/process-control-and-work.service.js';
import {
  type CallStart,
  CallStartsService,
  type CallTarget,
  type ServerCallOptions,
} from '../tools-hosts/call-starts.service.js';
import type { Answers, ServedRequest } from '../tools-hosts/host-request.js';
import { ToolsHostsClient } from '../tools-hosts/tools-hosts-and-internal-keys.client.js';
import { ServerDescriptionsService } from './server-descriptions-and-package-locks.service.js';

type Loose = Record<string, unknown>;

/** A call of a server as it travels to a tools host. */
export interface RemoteCall {
  target: CallTarget;
  method: string;
  params: Loose;
  caller?: string;
  isForAll?: boolean;
  meta?: Loose;
  timeoutMs?: number;
  maxTotalMs?: number;
  start?: CallStart;
  /** How long ago the right to call was read; absent where nothing has to be confirmed. */
  decidedMsAgo?: number;
  hasProgress: boolean;
  hasQuestions: boolean;
}

/** The clocks of two processes cannot be compared, so a right counts as older than it can be. */
const ON_THE_WAY_MS = 60_000;

export function remoteCallOf(
  target: CallTarget,
  method: string,
  params: Loose,
  options: ServerCallOptions,
): RemoteCall {
  const { caller, isForAll, meta, timeoutMs, maxTotalMs, start, decision } = options;
  return {
    ...{ target, method, params, caller, isForAll, meta, timeoutMs, maxTotalMs, start },
    decidedMsAgo: decision && performance.now() - decision.decidedAt,
    hasProgress: options.onProgress !== undefined,
    hasQuestions: options.onQuestion !== undefined,
  };
}

/** Returns the options of the call for the tools host, which asks the caller's process through `request`. */
export function optionsOf(call: RemoteCall, request: ServedRequest): ServerCallOptions {
  const { caller, isForAll, meta, timeoutMs, maxTotalMs, start, decidedMsAgo } = call;
  return {
    ...{ caller, isForAll, meta, timeoutMs, maxTotalMs, start, signal: request.signal },
    ...(call.hasProgress && { onProgress: (progress: Loose) => request.note('progress', progress) }),
    ...(call.hasQuestions && {
      onQuestion: async (question: Loose) => (await request.ask('question', question)) as Loose,
    }),
    ...(decidedMsAgo !== undefined && {
      decision: {
        decidedAt: performance.now() - decidedMsAgo - ON_THE_WAY_MS,
        confirm: async () => void (await request.ask('confirm', null)),
      },
    }),
  };
}

/** The caller's side of the same call. */
export class CallAnswers implements Answers {
  /** Why the call may not begin any more, where this process found that. */
  withdrawn: unknown = null;

  constructor(
    private readonly options: ServerCallOptions,
    readonly refused: (refusal: unknown) => Error,
  ) {}

  ask = async (what: string, value: unknown, over: AbortSignal): Promise<unknown> => {
    if (what === 'question') return this.options.onQuestion!(value as Loose, over);
    try {
      return (await this.options.decision!.confirm()) ?? null;
    } catch (error) {
      this.withdrawn = error;
      throw error;
    }
  };

  note = (what: string, value: unknown): void => {
    if (what === 'progress') this.options.onProgress?.(value as Loose);
  };
}

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
