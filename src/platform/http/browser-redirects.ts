import type { Response } from 'express';

/** Redirects a browser. Express would repeat the address, which may have the state of a sign-in, in a body. */
export function leadTo(response: Response, address: string): void {
  response.status(303).location(address).end();
}

const ANY_ORIGIN = 'http://service.invalid';
const MOST_CHARACTERS = 2_000;

/**
 * Returns a path of this service, with its query, to which a sign-in may lead. Everything else becomes `/`, so that the
 * service never redirects to another site (contract §2.9).
 */
export function ownPath(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > MOST_CHARACTERS) return '/';
  // Browsers read a backslash as a slash, and drop tabs and line breaks before they look at the rest.
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(wanted) || wanted.includes('\\')) return '/';
  if (!URL.canParse(wanted, ANY_ORIGIN)) return '/';
  const { origin, pathname, search, hash } = new URL(wanted, ANY_ORIGIN);
  // `/.//evil.example` has the path `//evil.example` once its dots are resolved.
  return origin === ANY_ORIGIN && !pathname.startsWith('//') ? pathname + search + hash : '/';
}
