import { randomBytes } from 'node:crypto';
import canonicalizeModule from 'canonicalize';

/**
 * A number whose digits JavaScript cannot hold, such as 1234567890123456789, 1e400 or -0. It is a Number, so that code
 * that calculates or serializes it as usual gets the nearest one, as `JSON.parse` would give it. `jsonText` writes its
 * digits.
 */
export class ExactNumber extends Number {
  static #isWritten = false;
  static #met = false;

  /** @param text as JSON has it */
  constructor(readonly text: string) {
    super(text);
    // A copy of its members must not look like data.
    Object.defineProperty(this, 'text', { enumerable: false });
  }

  /** Returns what `JSON.stringify` makes of a value in which exact numbers are marks, and whether there were any. */
  static marking(value: unknown, indent?: number): { text: string; met: boolean } {
    const before = [ExactNumber.#isWritten, ExactNumber.#met] as const;
    [ExactNumber.#isWritten, ExactNumber.#met] = [true, false];
    try {
      return { text: JSON.stringify(value, null, indent), met: ExactNumber.#met };
    } finally {
      [ExactNumber.#isWritten, ExactNumber.#met] = before;
    }
  }

  toJSON(): string | number {
    if (!ExactNumber.#isWritten) return Number(this);
    ExactNumber.#met = true;
    return markOf(this.text);
  }
}

/** Returns whether a value is a number of JSON, whatever its digits. */
export function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** Returns whether a value is an object of JSON. An exact number is an object of JavaScript and none of JSON. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

/** Returns the digits of a number in a value that is beyond those of JavaScript, such as 1e400; null where there is none. */
export function numberBeyondAll(value: unknown): string | null {
  if (value instanceof ExactNumber) return Number.isFinite(Number(value)) ? null : value.text;
  if (typeof value !== 'object' || value === null) return null;
  for (const item of Object.values(value)) {
    const found = numberBeyondAll(item);
    if (found !== null) return found;
  }
  return null;
}

/**
 * Begins a string that stands for an exact number where foreign code parses, validates or serializes JSON. No client and
 * no server can send such a string, since it is drawn at each start and never leaves the process.
 */
export const MARK = `exact-number:${randomBytes(16).toString('hex')}:`;

function markOf(digits: string): string {
  return MARK + digits;
}

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Returns whether JavaScript changes the value, or the sign, of a number of JSON; false for what is no number of JSON. */
export function isInexact(text: string): boolean {
  // Most programs write a number as JavaScript does, and the comparison of two decimals is ten times slower.
  if (String(Number(text)) === text) return false;
  const written = decimalOf(text);
  return written !== null && written !== decimalOf(asJavaScript(text));
}

function asJavaScript(text: string): string {
  const value = Number(text);
  return Object.is(value, -0) ? '0' : String(value);
}

/** Returns one form of all texts of the same number: its sign, its digits from the first to the last that is not 0, and where they begin. */
function decimalOf(text: string): string | null {
  const [, sign, whole, fraction = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === undefined) return null;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return `${sign}0`;
  const kept = withoutTrailingZeros(digits);
  const power = exponent.replace(/^([+-]?)0+(?=\d)/, '$1');
  if (kept.length + power.length > LONGEST_COMPARED) return `${sign}${kept}e${power}`;
  const zeros = digits.length - kept.length;
  return `${sign}${kept}e${BigInt(power) - BigInt(fraction.length) + BigInt(zeros)}`;
}

/** No number as JavaScript writes it has a quarter as many characters; arithmetic with a million digits takes a second. */
const LONGEST_COMPARED = 100;

/** An expression for this takes the square of the number of zeros, if another digit follows them. */
function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

type Loose = Record<string, unknown>;

/**
 * What a text has that holds a number which JavaScript changes: 16 digits in a row, an exponent, or a negative zero,
 * where JSON may have a number. Most texts have none, and go to `JSON.parse` as they are.
 */
const LONG = /(?:^|[\s:,[])-?\d[\d.]{15}/;
const EXPONENT = /\d[eE][+-]?\d+(?:[\s,\]}]|$)/;
const NEGATIVE_ZERO = /-0(?:\.0*)?(?:[\s,\]}]|$)/;

/** Three expressions that are simple are four times as fast as one, which took longer than the parser. */
const mayBeInexact = (text: string) => LONG.test(text) || EXPONENT.test(text) || NEGATIVE_ZERO.test(text);

/** Returns a value of JSON as `JSON.parse` does, but numbers that JavaScript would change as `ExactNumber`. @throws {SyntaxError} */
export function parseJson(text: string): unknown {
  const forParser = markedText(text);
  const parsed: unknown = JSON.parse(forParser);
  return forParser === text ? parsed : withNumbers(parsed);
}

/** Returns the JSON of a value, with the digits of its exact numbers. @param indent spaces per level, for people */
export function jsonText(value: unknown, indent?: number): string {
  const { text, met } = ExactNumber.marking(value, indent);
  return met ? withoutMarks(text) : text;
}

/** Returns whether a value holds a number that JavaScript would change. */
export function hasExactNumbers(value: unknown): boolean {
  return ExactNumber.marking(value).met;
}

/** Returns a text of JSON whose exact numbers are strings with a mark, for a parser that would change them. */
export function markedText(text: string): string {
  if (!mayBeInexact(text)) return text;
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const quote = indexOrEnd(text, '"', at);
    parts.push(text.slice(at, quote).replace(NUMBERS, marked));
    at = endOfString(text, quote);
    parts.push(text.slice(quote, at));
  }
  return parts.join('');
}

/**
 * Returns a text of JSON with the digits of the exact numbers that are marked in it. Foreign code repeats a value in a
 * sentence: there the digits are left, because the mark must not leave the process.
 */
export function withoutMarks(text: string): string {
  return text.includes(MARK) ? text.replace(MARKED, '$1').replaceAll(MARK, '') : text;
}

/** Returns a value for foreign code, in which exact numbers are strings with a mark; the value itself where it has none. */
export function withMarks<T>(value: T): T {
  return mapped(value, (item) => (item instanceof ExactNumber ? markOf(item.text) : item)) as T;
}

/** Returns a value that foreign code has passed on, in which marked strings are exact numbers again. @throws {SyntaxError} */
export function withNumbers<T>(value: T): T {
  return mapped(value, (item) =>
    typeof item === 'string' && item.startsWith(MARK) ? new ExactNumber(item.slice(MARK.length)) : item,
  ) as T;
}

/** Returns a value whose exact numbers are the nearest finite ones of JavaScript, for code that calculates with them. */
export function withNearest<T>(value: T): T {
  return mapped(value, (item) =>
    item instanceof ExactNumber
      ? Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(item)))
      : item,
  ) as T;
}

const NUMBERS = /-?\d[\d.eE+-]*/g;
const MARKED = new RegExp(`"${MARK}(-?\\d[\\d.eE+-]*)"`, 'g');

function marked(digits: string): string {
  return isInexact(digits) ? `"${markOf(digits)}"` : digits;
}

/** Returns where a string ends that begins at `quote`: after the first quote that no backslash escapes. */
function endOfString(text: string, quote: number): number {
  for (let end = text.indexOf('"', quote + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text[first - 1] === '\\') first -= 1;
    if ((end - first) % 2 === 0) return end + 1;
  }
  return text.length;
}

function indexOrEnd(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from);
  return at < 0 ? text.length : at;
}

type Change = (item: unknown) => unknown;

/** Copies only what differs: most values hold no exact number. Each tool call passes here several times. */
function mapped(value: unknown, change: Change): unknown {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return change(value);
  return Array.isArray(value) ? mappedItems(value, change) : mappedMembers(value as Loose, change);
}

function mappedItems(value: unknown[], change: Change): unknown[] {
  let copy: unknown[] | null = null;
  for (let at = 0; at < value.length; at += 1) {
    const other = mapped(value[at], change);
    if (other !== value[at]) (copy ??= [...value])[at] = other;
  }
  return copy ?? value;
}

function mappedMembers(value: Loose, change: Change): Loose {
  const prototype: unknown = Object.getPrototypeOf(value);
  // An error that a transport made is passed on as the instance that it is.
  if (prototype !== Object.prototype && prototype !== null) return value;
  let others: Map<string, unknown> | null = null;
  for (const name of Object.keys(value)) {
    if (name.startsWith(MARK)) throw new SyntaxError('A number stands where JSON has the name of a member.');
    const other = mapped(value[name], change);
    if (other !== value[name]) (others ??= new Map<string, unknown>()).set(name, other);
  }
  if (!others) return value;
  const found = others;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, found.has(name) ? found.get(name) : item]),
  );
}

// The package is CommonJS but its types declare `export default`, so the import is the function itself.
const canonicalize = canonicalizeModule as unknown as (value: unknown) => string | undefined;

/**
 * Returns canonical JSON (RFC 8785): equal values have equal text, whatever the order of their keys. The package throws
 * on a number that is not finite: it is written as null, as JSON does. A number that JavaScript cannot hold is written
 * with its own digits.
 */
export function canonicalJson(value: unknown): string {
  const finite = hasOnlyFinite(value) ? value : parseJson(jsonText(value));
  return withoutMarks(canonicalize(withMarks(finite)) ?? '');
}

function hasOnlyFinite(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return true;
  return Object.values(value).every(hasOnlyFinite);
}
