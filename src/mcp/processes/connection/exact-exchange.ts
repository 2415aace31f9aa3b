import { markedText, withoutMarks } from '../../../platform/json/exact-json.js';
import { MARK } from '../../../platform/json/exact-number.js';

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
