import type { CallStart } from '../running/call-starts.service.js';
import type { CallTarget, ServerCallOptions } from '../running/call-options.js';
import type { Answers } from './host-request.js';
import type { ServedRequest } from './served-request.js';

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
