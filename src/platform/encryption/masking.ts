import { formsOf, type SecretForm } from './secret-forms.js';

const MASK = '[secret]';

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
  private readonly forms: SecretForm[];

  constructor(secrets: readonly string[]) {
    this.forms = [...new Set(secrets)].flatMap(formsOf);
  }

  /**
   * Finds all forms before it replaces any, so that no part remains where two secrets overlap or one begins with
   * another.
   */
  mask(text: string): string {
    const found = this.forms.flatMap((form) => rangesOf(form, text));
    return found.length === 0 ? text : replaceRanges(text, found);
  }
}

/** The position of a form in a text: from `start` up to, but not including, `end`. */
interface Range {
  start: number;
  end: number;
}

function rangesOf(form: SecretForm, text: string): Range[] {
  const ranges: Range[] = [];
  for (let at = text.indexOf(form.text); at >= 0; at = text.indexOf(form.text, at + 1)) {
    const range = withEdges(form, text, at);
    const last = ranges.at(-1);
    if (last && range.start <= last.end) last.end = range.end;
    else ranges.push(range);
  }
  return ranges;
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

function replaceRanges(text: string, ranges: Range[]): string {
  let masked = '';
  let done = 0;
  for (const { start, end } of ranges.toSorted((a, b) => a.start - b.start)) {
    if (start >= done) masked += text.slice(done, start) + MASK;
    done = Math.max(done, end);
  }
  return masked + text.slice(done);
}
