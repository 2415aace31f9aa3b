import { createScanner } from 'jsonc-parser';
import { formsOf, type SecretForm } from './secret-forms.js';

/** The position of a form in a text: from `start` up to, but not including, `end`. */
export interface Range {
  start: number;
  end: number;
}

/** A name of this module, which a loop over a text of megabytes reads faster than one of the global object. */
const { imul } = Math;

/** Multiplier of the rolling hash: an odd number with bits spread over the word. */
const BASE = 0x01000193;

/**
 * Finds all forms of all secrets in one pass over a text (Rabin-Karp over the first characters of each form). A search
 * per form took 21 s for a 4 MB text and a secret of 3,200 lines.
 */
export class FormSearch {
  private readonly window: number;
  /** BASE to the power of the window's length, by which the character that leaves the window counts. */
  private readonly leaving: number;
  private readonly byHash = new Map<number, SecretForm[]>();
  /** Has a bit for each hash of a form, so that most positions cost no look-up in the map. */
  private readonly filter: Uint8Array;

  constructor(forms: readonly SecretForm[]) {
    this.window = forms.reduce((least, { text }) => Math.min(least, text.length), 64);
    this.leaving = Array.from({ length: this.window }).reduce<number>((power) => imul(power, BASE), 1);
    this.filter = new Uint8Array(2 ** Math.max(12, Math.ceil(Math.log2(8 * forms.length + 1))));
    for (const form of forms) this.add(form);
  }

  /** Returns where forms are, ascending, with those that overlap or touch joined. */
  in(text: string): Range[] {
    const ranges: Range[] = [];
    const mask = this.filter.length - 1;
    const last = text.length - this.window;
    let hash = last >= 0 ? this.hashAt(text, 0) : 0;
    for (let at = 0; at <= last; at += 1) {
      if (this.filter[hash & mask] === 1) this.take(ranges, text, at, hash);
      hash =
        (imul(hash, BASE) + text.charCodeAt(at + this.window) - imul(text.charCodeAt(at), this.leaving)) | 0;
    }
    return ranges;
  }

  private add(form: SecretForm): void {
    const hash = this.hashAt(form.text, 0);
    this.filter[hash & (this.filter.length - 1)] = 1;
    const others = this.byHash.get(hash);
    if (others) others.push(form);
    else this.byHash.set(hash, [form]);
  }

  private hashAt(text: string, start: number): number {
    let hash = 0;
    for (let at = start; at < start + this.window; at += 1)
      hash = (imul(hash, BASE) + text.charCodeAt(at)) | 0;
    return hash;
  }

  private take(ranges: Range[], text: string, at: number, hash: number): void {
    for (const form of this.byHash.get(hash) ?? [])
      if (text.startsWith(form.text, at)) join(ranges, withEdges(form, text, at));
  }
}

/** Adds a range that begins where the last one does, or later; an edge may put its start one character before. */
function join(ranges: Range[], range: Range): void {
  const last = ranges.at(-1);
  if (!last || range.start > last.end) ranges.push(range);
  else {
    last.start = Math.min(last.start, range.start);
    last.end = Math.max(last.end, range.end);
  }
}

function withEdges(form: SecretForm, text: string, at: number): Range {
  const range = { start: at, end: at + form.text.length };
  if (form.lead && isBase64(text.charAt(at - 1))) range.start -= 1;
  if (form.tail && isBase64(text.charAt(range.end))) {
    range.end += 1;
    while (text.charAt(range.end) === '=') range.end += 1;
  }
  return range;
}

function isBase64(character: string): boolean {
  return /^[\w+/-]$/.test(character);
}

/** Stands for a secret, and for a number that has one. */
export const MASK = '[secret]';

/**
 * Replaces every value of `secrets` of 8 characters or more in `text` by `[secret]`, whether it is plain, JSON-escaped,
 * URL-encoded, in hex or in base64 (contract §3.3). Pass whole texts: a secret that is cut in two by the end of a chunk
 * is not recognised in either half.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets.length === 0 ? text : new SecretMask(secrets).mask(text);
}

/** Masks many texts with the same secrets, whose forms are computed once. */
export class SecretMask {
  private readonly search: FormSearch | null;

  constructor(secrets: readonly string[]) {
    const forms = [...new Set(secrets)].flatMap((secret) => formsOf(secret));
    this.search = forms.length === 0 ? null : new FormSearch(forms);
  }

  /**
   * Finds all forms before it replaces any, so that no part remains where two secrets overlap or one begins with
   * another.
   */
  mask(text: string): string {
    const found = this.search?.in(text) ?? [];
    if (found.length === 0) return text;
    return maskedJson(text, found) ?? replaceRanges(text, found);
  }
}

/**
 * Replaces ranges of a JSON text so that it stays one: within a string by the mask, and a number as a whole by a string.
 * Returns null for any other text, and where a range is not within one token: the mask goes before the form.
 */
function maskedJson(text: string, ranges: readonly Range[]): string | null {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return null;
  const scanner = createScanner(text, true);
  const inTokens: (Range & { mask: string })[] = [];
  let next = 0;
  for (let kind = scanner.scan(); next < ranges.length && kind !== END_OF_TEXT; kind = scanner.scan()) {
    const start = scanner.getTokenOffset();
    const end = start + scanner.getTokenLength();
    const first = next;
    while (next < ranges.length && ranges[next]!.start < end) next += 1;
    const within =
      kind === STRING ? withEscapes(text, start, ranges.slice(first, next)) : ranges.slice(first, next);
    const room = kind === STRING ? { start: start + 1, end: end - 1 } : { start, end };
    if (within.some((range) => range.start < room.start || range.end > room.end)) return null;
    if (kind === STRING) for (const range of within) inTokens.push({ ...range, mask: MASK });
    else if (within.length > 0) inTokens.push({ start, end, mask: `"${MASK}"` });
  }
  const masked = replaceRanges(text, inTokens);
  return isJson(masked) ? masked : null;
}

/**
 * Returns ranges within a string that begins at `start`, ascending, with the escapes whole in which they begin or end. One
 * pass serves all of them: a server can write its secret 200,000 times into one string.
 */
function withEscapes(text: string, start: number, ranges: readonly Range[]): Range[] {
  let at = start + 1;
  return ranges.map(({ start: from, end: to }) => {
    const range = { start: from, end: to };
    while (at < to) {
      const end = at + lengthAt(text, at);
      if (at < from && end > from) range.start = at;
      if (end > to) {
        range.end = end;
        // The next range may begin in the same escape.
        break;
      }
      at = end;
    }
    return range;
  });
}

/** Returns how many characters of a string of JSON stand for the one at this place. */
function lengthAt(text: string, at: number): number {
  if (text[at] !== '\\') return 1;
  return text[at + 1] === 'u' ? 6 : 2;
}

/** `SyntaxKind` is a const enum, which only types have. */
const STRING = 10;
const END_OF_TEXT = 17;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Whatever else the text is.
    return false;
  }
}

function replaceRanges(text: string, ranges: readonly (Range & { mask?: string })[]): string {
  let masked = '';
  let done = 0;
  for (const { start, end, mask = MASK } of ranges) {
    masked += text.slice(done, start) + mask;
    done = end;
  }
  return masked + text.slice(done);
}

/**
 * Holds the values that must never reach a log, by their owner: the id of a credential set, alone or followed by a space and
 * what the value is. The last step before a log
 * line is written masks with it. It knows only the values that were set in this process.
 */
export class SecretRegister {
  private readonly values = new Map<string, readonly string[]>();
  private known: SecretMask | null = null;

  /** Replaces the values of this owner. */
  set(ownerId: string, values: readonly string[]): void {
    const before = this.values.get(ownerId);
    // Every call of a server sets its values, mostly the same ones: computing their forms again would cost more than the call.
    if (before?.length === values.length && before.every((value, at) => value === values[at])) return;
    this.values.set(ownerId, [...values]);
    this.known = null;
  }

  delete(ownerId: string): void {
    this.values.delete(ownerId);
    this.known = null;
  }

  /** Masks the values of one credential set only, for a reader who must not learn whether a text holds another's. */
  maskOf(credentialSetId: string, text: string): string {
    const own = [...this.values].filter(
      ([owner]) => owner === credentialSetId || owner.startsWith(`${credentialSetId} `),
    );
    return new SecretMask(own.flatMap(([, values]) => values)).mask(text);
  }

  mask(text: string): string {
    this.known ??= new SecretMask([...this.values.values()].flat());
    return this.known.mask(text);
  }
}
