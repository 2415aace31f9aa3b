import { FormSearch, type Range } from './form-search.js';
import { formsOf } from './secret-forms.js';

const MASK = '[secret]';

/** Shorter values are not masked (contract §3.3), because ordinary words would disappear with them. */
const LEAST_CHARACTERS = 8;

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
    const forms = [...new Set(secrets)].flatMap((secret) => formsOf(secret, LEAST_CHARACTERS));
    this.search = forms.length === 0 ? null : new FormSearch(forms);
  }

  /**
   * Finds all forms before it replaces any, so that no part remains where two secrets overlap or one begins with
   * another.
   */
  mask(text: string): string {
    const found = this.search?.in(text) ?? [];
    return found.length === 0 ? text : replaceRanges(text, found);
  }
}

function replaceRanges(text: string, ranges: readonly Range[]): string {
  let masked = '';
  let done = 0;
  for (const { start, end } of ranges) {
    masked += text.slice(done, start) + MASK;
    done = end;
  }
  return masked + text.slice(done);
}
