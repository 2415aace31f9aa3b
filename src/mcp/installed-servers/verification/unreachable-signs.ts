/** Codes and messages of Node, undici, Go, Python and .NET for failed name lookups, connections and responses. */
const SIGNS = new RegExp(
  [
    '\\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)\\b',
    '\\bUND_ERR_(CONNECT|HEADERS|BODY|SOCKET)',
    'fetch failed|socket hang up|getaddrinfo|no such host|dial (tcp|udp)|i/o timeout|context deadline exceeded',
    "host ?name not found|name or service not known|(temporary failure in )?name resolution|could ?n[o'’]t resolve host|failed to resolve",
    'connection (was )?(refused|reset|aborted|timed out)|network (is unreachable|error)|no route to host',
    '(connect|connection|request) ?(has )?(timeout|timed out)|max retries exceeded|unable to connect',
    '\\b(502 bad gateway|503 service unavailable|504 gateway time-?out)\\b',
    // A spent quota is no wrong credential.
    '\\b429\\b|too many requests|rate limit(ed)? exceeded|quota (was |has been )?exceeded',
  ].join('|'),
  'i',
);

/**
 * Returns whether a server reports in its own words that it could not reach the service behind it. Tools report that
 * with `isError`, like every other error, but it says nothing about the credentials. A text that names both a network
 * error and a 401 (Azure's library lists every method that it tried) counts as unreachable.
 */
export function reportsUnreachable(result: Record<string, unknown>): boolean {
  return SIGNS.test(JSON.stringify(result.content ?? ''));
}
