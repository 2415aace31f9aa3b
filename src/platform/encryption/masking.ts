import { formsOf, type SecretForm } from './secret-forms.js';

const MASK = '[secret]';

/**
 * `text` with every value of `secrets` of 8 characters or more replaced by `[secret]`, be it written plain,
 * JSON-escaped, URL-encoded, in hex or in base64 (spec §3.3). Mask whole texts: a secret that is cut in two
 * by the end of a chunk is not recognised in either half.
 */
export function maskSecrets(text: string, secrets: readonly string[]): string {
  return secrets.length === 0 ? text : new SecretMask(secrets).mask(text);
}

/** The forms of a set of secrets, worked out once for many texts. */
export class SecretMask {
  private readonly forms: SecretForm[];

  constructor(secrets: readonly string[]) {
    this.forms = [...new Set(secrets)].flatMap(formsOf);
  }

  /**
   * Finds everything before it replaces anything: where two secrets overlap, or one begins with another,
   * no end of either is left standing.
   */
  mask(text: string): string {
    const found = this.forms.flatMap((form) => rangesOf(form, text));
    return found.length === 0 ? text : replaceRanges(text, found);
  }
}

/** Where a form was found: from `start` to before `end`. */
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
