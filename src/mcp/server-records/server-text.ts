import { ExactNumber } from '../../platform/json/exact-number.js';

/** Returns a server's text in a form that the database accepts: NUL and lone surrogates become U+FFFD. */
export function storableText(text: string): string {
  return Buffer.from(text).toString().replaceAll('\0', '\ufffd');
}

/**
 * Characters that a model reads and a person does not see: controls (but tab and line breaks), bidi and other format
 * characters, tags, private use, unassigned fillers.
 */
const INVISIBLE = /(?![\t\n\r])\p{Cc}|\p{Cf}|\p{Co}|[\u115f\u1160\u3164\uffa0]/gu;
/** Joins letters and emoji: part of ordinary text in many languages. */
const JOINERS = new Set(['\u200c', '\u200d']);

/**
 * Returns a text with each invisible character as its escape, like `\\u{e0041}`, so that the person who approves a tool
 * sees all that an agent reads.
 */
export function visibleText(text: string): string {
  return text.replace(INVISIBLE, (character, at: number) =>
    JOINERS.has(character) && joins(text, at) ? character : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

/** Whether a joiner stands between two characters beyond ASCII that can be seen. */
function joins(text: string, at: number): boolean {
  const [before, after] = [text.charAt(at - 1), text.charAt(at + 1)];
  return [before, after].every((neighbour) => neighbour > '\x7f' && !/[\p{Cf}\p{Z}]/u.test(neighbour));
}

/** Returns a value in which every `title` and `description`, at any depth, is visible. Other members stay as they are. */
export function withVisibleDescriptions<T>(value: T): T {
  return copied(value) as T;
}

function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      typeof item === 'string' && (name === 'description' || name === 'title')
        ? visibleText(item)
        : copied(item),
    ]),
  );
}
