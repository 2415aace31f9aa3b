import { OutboundError } from './outbound-error.js';

/** The target of a request and its headers. */
export interface Hop {
  url: URL;
  headers: Headers;
}

/**
 * Returns the target that `response` redirects to, or null when it is no redirect. On another origin only headers that
 * say nothing about the caller are sent: a credential may be in a header of any name.
 */
export function nextHop(hop: Hop, response: Response, method: string): Hop | null {
  const location = response.headers.get('location');
  if (!REDIRECTS.includes(response.status) || location === null) return null;
  const url = targetOf(location, hop.url);
  const keepsBody = response.status === 307 || response.status === 308;
  if (!keepsBody && method !== 'GET' && method !== 'HEAD') {
    throw new OutboundError(
      'bad_redirect',
      'The server redirects in a way that loses the body. Use the address that it redirects to.',
    );
  }
  return { url, headers: url.origin === hop.url.origin ? hop.headers : harmless(hop.headers) };
}

function targetOf(location: string, base: URL): URL {
  const url = URL.canParse(location, base.href) ? new URL(location, base) : null;
  if (!url || url.username || url.password)
    throw new OutboundError('bad_redirect', 'The server redirects to an invalid address.');
  return url;
}

function harmless(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => HARMLESS.includes(name)));
}

const REDIRECTS = [301, 302, 303, 307, 308];
const HARMLESS = ['accept', 'content-type', 'user-agent', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
