import type { FieldError } from './problem.js';

/** Objects and arrays within each other (contract §1): deeper ones overflow the stack of what walks them later. */
const MAX_DEPTH = 32;

/** Fields and items in all (contract §1.4). What transforms a body needs about a microsecond for each. */
const MAX_VALUES = 100_000;

/** Names that reach the prototype of the object that they are copied into. */
const REFUSED_KEYS = new Set(['__proto__', 'constructor']);

/** For each object and array that the scan is inside of: the key or the index it is at. */
type Place = (string | number)[];

/**
 * What is wrong with a JSON text before it is parsed: too deep, too many values, or a key that is refused. One pass
 * without recursion. Text that is no JSON passes or fails as it happens: the parser refuses it afterwards.
 */
export function scanJson(text: string): FieldError | null {
  const open: Place = [];
  let values = 1;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      const fault = enterKey(text, at, end, open);
      if (fault) return fault;
      at = end;
    } else if (character === '{' || character === '[') {
      if (open.length === MAX_DEPTH)
        return { path: pathOf(open), message: `must not be more than ${MAX_DEPTH} levels deep` };
      open.push(character === '[' ? 0 : '');
    } else if (character === '}' || character === ']') open.pop();
    else if (character === ',') {
      values += 1;
      if (values > MAX_VALUES)
        return { path: '', message: `must not have more than ${MAX_VALUES} fields and items` };
      enterNextItem(open);
    }
  }
  return null;
}

/** Index of the quote that ends the string which begins at `start`, or of the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end >= 0 ? end : text.length;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

function enterKey(text: string, start: number, end: number, open: Place): FieldError | null {
  if (open.length === 0 || !isFollowedByColon(text, end)) return null;
  const key = unescaped(text.slice(start, end + 1));
  open[open.length - 1] = key;
  return REFUSED_KEYS.has(key) ? { path: pathOf(open), message: 'is a key that is not accepted' } : null;
}

function isFollowedByColon(text: string, end: number): boolean {
  let next = end + 1;
  while (next < text.length && ' \t\r\n'.includes(text[next]!)) next += 1;
  return text[next] === ':';
}

/** A key may be written with escapes (`"\u005f_proto__"`), so it is compared as the parser will read it. */
function unescaped(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    // The parser rejects the same text after this scan.
    return quoted;
  }
}

function enterNextItem(open: Place): void {
  const index = open.at(-1);
  if (typeof index === 'number') open[open.length - 1] = index + 1;
}

/** Like `entries[0].agentId`. */
function pathOf(open: Place): string {
  return open
    .map((at) => (typeof at === 'number' ? `[${at}]` : `.${at}`))
    .join('')
    .replace(/^\./, '');
}
