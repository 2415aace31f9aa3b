import { OutboundFault } from './outbound-fault.js';

/** Where a request goes, and with which headers. */
export interface Hop {
  url: URL;
  headers: Headers;
}

/**
 * Where `response` sends the request on to, or null where it is the answer. On another origin only the headers
 * that say nothing about the caller go along: a credential may be in a header of any name.
 */
export function nextHop(hop: Hop, response: Response, method: string): Hop | null {
  const location = response.headers.get('location');
  if (!REDIRECTS.includes(response.status) || location === null) return null;
  const url = targetOf(location, hop.url);
  const keepsBody = response.status === 307 || response.status === 308;
  if (!keepsBody && method !== 'GET' && method !== 'HEAD') {
    throw new OutboundFault(
      'bad_redirect',
      'The server redirects in a way that loses what was sent. Use the address that it redirects to.',
    );
  }
  return { url, headers: url.origin === hop.url.origin ? hop.headers : harmless(hop.headers) };
}

function targetOf(location: string, base: URL): URL {
  const url = URL.canParse(location, base.href) ? new URL(location, base) : null;
  if (!url || url.username || url.password)
    throw new OutboundFault('bad_redirect', 'The server redirects to something that is no address.');
  return url;
}

function harmless(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => HARMLESS.includes(name)));
}

const REDIRECTS = [301, 302, 303, 307, 308];
const HARMLESS = ['accept', 'content-type', 'user-agent', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];
