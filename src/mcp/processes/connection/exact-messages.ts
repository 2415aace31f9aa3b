import {
  Client,
  type ClientContext,
  type JSONRPCMessage,
  type JSONRPCNotification,
  type JSONRPCRequest,
  type Result,
} from '@modelcontextprotocol/client';
import {
  MARK,
  markedText,
  withMarks,
  withNearest,
  withNumbers,
  withoutMarks,
} from '../../../platform/json/exact-json.js';

/** A request of the SDK, whose headers are its own. */
type Sent = RequestInit & { headers: Headers };

/** Returns a request of the SDK, which has written strings with marks, with the digits that they stand for. */
export function withDigits(init: Sent): Sent {
  const { body, headers } = init;
  if (typeof body !== 'string' || !body.includes(MARK)) return init;
  // An argument may be repeated as a header.
  for (const [name, value] of headers)
    if (value.includes(MARK)) headers.set(name, value.replaceAll(MARK, ''));
  return { ...init, body: withoutMarks(body) };
}

/** Returns a response for the SDK, which parses it, with strings in place of the numbers that it would change. */
export function withMarkedNumbers(response: Response): Response {
  const { status, statusText, headers, body } = response;
  const [, form] = /^(application\/json|text\/event-stream)\b/i.exec(headers.get('content-type') ?? '') ?? [];
  if (body === null || form === undefined) return response;
  const mark = form.toLowerCase() === 'text/event-stream' ? markedEvents() : markedText;
  return new Response(body.pipeThrough(byLines(mark)), { status, statusText, headers });
}

/**
 * Changes a body line by line: no number and no string of JSON goes over the end of a line, and the readers of both forms
 * wait for a whole line. The bytes pass as Latin-1, which loses none; what matters of JSON is ASCII.
 */
function byLines(change: (lines: string) => string): TransformStream<Uint8Array, Uint8Array> {
  let held = '';
  return new TransformStream({
    transform(chunk, controller) {
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
      const end = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1;
      if (end > 0) controller.enqueue(Buffer.from(change(held + text.slice(0, end)), 'latin1'));
      held = end > 0 ? text.slice(end) : held + text;
    },
    flush(controller) {
      if (held !== '') controller.enqueue(Buffer.from(change(held), 'latin1'));
    },
  });
}

const LINES = /[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g;

/** Marks the numbers in the data of messages. Ids of events, and the address in the event `endpoint`, are no JSON. */
function markedEvents(): (lines: string) => string {
  let isMessage = true;
  return (lines) =>
    lines.replace(LINES, (line) => {
      const [field] = line.split(':', 1);
      if (line.trim() === '') isMessage = true;
      else if (field === 'event') isMessage = /^event: ?message\s*$/.test(line);
      return field === 'data' && isMessage ? markedText(line) : line;
    });
}

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
