import {
  Client,
  type ClientContext,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type Result,
} from '@modelcontextprotocol/client';
import { withMarks, withNearest, withNumbers } from '../../../platform/json/exact-json.js';

type Loose = Record<string, unknown>;

/** The member of `_meta` that carries the exact progress past the checks of the SDK's client. */
const EXACT_PROGRESS = 'agent-work-platform/exact';

/** The member of a result that carries the exact one past the same checks, which a spread copies and JSON has not. */
const EXACT_RESULT = Symbol('the result with its digits');

/**
 * Returns a message for the SDK's client. It checks results, progress and questions, and accepts nothing but numbers of
 * JavaScript where the protocol has numbers. So it gets the nearest ones, and the exact ones are carried past it.
 */
export function forClient(message: JSONRPCMessage): JSONRPCMessage {
  const exact = withNumbers(message);
  const nearest = withNearest(exact);
  if (nearest === exact) return exact;
  if ('result' in exact) return { ...exact, result: carriedIn(exact.result as Loose) as Result };
  if (!('method' in exact) || exact.method !== 'notifications/progress') return withMarks(exact);
  const { progress, total } = exact.params as Loose;
  const carried = withMarks({ progress, ...(total !== undefined && { total }) });
  const { params = {} } = nearest as JSONRPCNotification;
  return { ...exact, params: { ...params, _meta: { ...params._meta, [EXACT_PROGRESS]: carried } } };
}

/** What a server needs before it finishes a call is passed on member by member, and unchecked. */
function carriedIn(result: Loose): Loose {
  if (result.resultType === 'input_required') return withMarks(result);
  return { ...withNearest(result), [EXACT_RESULT]: result };
}

/** Returns the result that the SDK's client has passed on. */
export function resultFrom(result: Loose): Loose {
  const { [EXACT_RESULT]: exact } = result as { [EXACT_RESULT]?: Loose };
  if (!exact) return withNumbers(result);
  const { resultType: _, ...others } = exact;
  return 'resultType' in result ? exact : others;
}

/** Returns the progress that the SDK's client has passed on. */
export function progressFrom({ _meta: meta, ...progress }: Loose): Loose {
  const exact = (meta as Loose | undefined)?.[EXACT_PROGRESS] as Loose | undefined;
  return exact ? { ...progress, ...withNumbers(exact) } : progress;
}

type Handler = (request: JSONRPCRequest, context: ClientContext) => Promise<Result>;

/** The SDK's client, which checks what servers ask with the nearest numbers. */
export class ExactClient extends Client {
  private readonly exact = new WeakMap<object, Loose>();

  /** Returns the parameters of the request with this context as the server sent them; undefined where no number differs. */
  exactParams(context: ClientContext): Loose | undefined {
    return this.exact.get(context);
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const checked = super._wrapHandler(method, handler as never) as Handler;
    return (request, context) => {
      const params = withNumbers(request.params);
      if (!params || params === request.params) return checked(request, context);
      this.exact.set(context, params);
      return checked({ ...request, params: withNearest(params) }, context);
    };
  }
}
