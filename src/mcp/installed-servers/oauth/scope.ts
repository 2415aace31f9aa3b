/** RFC 6749 §3.3. */
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;
const MOST_SCOPES = 100;

/** A scope that a server names goes into an address or is shown, so its form and length are limited. */
export function scopeIn(text: string | null | undefined, more: string[] = []): string | null {
  const tokens = [...new Set(tokensOf(text))];
  const all = [...new Set([...tokens.slice(0, MOST_SCOPES), ...more])];
  return all.length > 0 ? all.join(' ') : null;
}

/** Returns all of several scopes, the first ones first; null where there is none. */
export function unionOf(...scopes: (string | null | undefined)[]): string | null {
  return scopeIn(scopes.filter(Boolean).join(' '));
}

/** Whether a scope has all of another one. */
export function includesScope(scope: string | null, wanted: string): boolean {
  const has = new Set(tokensOf(scope));
  return tokensOf(wanted).every((token) => has.has(token));
}

function tokensOf(text: string | null | undefined): string[] {
  return (text ?? '').split(' ').filter((token) => SCOPE_TOKEN.test(token));
}
