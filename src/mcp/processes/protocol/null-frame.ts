import type { Transformer } from 'node:stream/web';

/**
 * Removes null members of the frame of JSON-RPC messages from a response, as text, so that everything else in it stays as
 * its server wrote it. The SDK's transport refuses `"error": null` beside a result (contract §7.4).
 */
export function withoutNullFrames(response: Response): Response {
  const type = response.headers.get('content-type') ?? '';
  if (response.body === null || !/^(application\/json|text\/event-stream)\b/i.test(type)) return response;
  const { status, statusText, headers } = response;
  const isStream = /^text\/event-stream/i.test(type);
  const body = response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new TransformStream(isStream ? byLine() : asWhole()))
    .pipeThrough(new TextEncoderStream());
  return new Response(body, { status, statusText, headers });
}

/** Returns a message without members of its frame that are null. Text that is no such message comes back as it is. */
export function withoutNullFrame(text: string): string {
  if (!SUSPECT.test(text)) return text;
  const members = membersOf(text);
  if (members === null) return text;
  const isCall = members.some((member) => /^\s*"method"\s*:\s*"/.test(member));
  const kept = members.filter(
    (member) => !NULL.test(member) && !(isCall && /^\s*"id"\s*:\s*null\s*$/.test(member)),
  );
  return kept.length === members.length ? text : `{${kept.join(',')}}`;
}

const SUSPECT = /"(?:method|params|result|error|id)"\s*:\s*null/;
const NULL = /^\s*"(?:method|params|result|error)"\s*:\s*null\s*$/;

/** Cuts the text of an object into its members; null for any other text. */
function membersOf(text: string): string[] | null {
  const begin = text.indexOf('{');
  const end = text.lastIndexOf('}');
  if (begin < 0 || text.slice(0, begin).trim() !== '' || text.slice(end + 1).trim() !== '') return null;
  const members: string[] = [];
  let start = begin + 1;
  let depth = 0;
  for (let at = start; at < end; at += 1) {
    const character = text[at]!;
    if (character === '"') at = endOfString(text, at);
    else if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === ',' && depth === 0) {
      members.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...members, text.slice(start, end)];
}

function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}

function asWhole(): Transformer<string, string> {
  const parts: string[] = [];
  return {
    transform: (part) => void parts.push(part),
    flush: (controller) => controller.enqueue(withoutNullFrame(parts.join(''))),
  };
}

/** A line of an event is passed on when it is complete; how large an event may be, the body below has limited. */
function byLine(): Transformer<string, string> {
  let open: string[] = [];
  return {
    transform(part, controller) {
      const end = part.lastIndexOf('\n');
      if (end < 0) return void open.push(part);
      open.push(part.slice(0, end + 1));
      controller.enqueue(
        open.join('').replaceAll(DATA, (_, start: string, data: string) => start + withoutNullFrame(data)),
      );
      open = [part.slice(end + 1)];
    },
    flush: (controller) => controller.enqueue(open.join('')),
  };
}

const DATA = /^(data: ?)(\{.*)$/gm;
