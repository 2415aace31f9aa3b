/**
 * Whether a server says in its own words that the service behind it could not be reached. Its tools tell that by
 * a result with `isError`, like everything else, but it says nothing about the credentials. Where a text holds
 * both (Azure's library tells every way that it tried, and 401), the silence of the network explains the rest.
 */
export function saysNoAnswerCame(result: Record<string, unknown>): boolean {
  return SIGNS.test(JSON.stringify(result.content ?? ''));
}

/** Codes and sentences of Node, undici, Go, Python and .NET when a name, a route, a port or an answer is missing. */
const SIGNS = new RegExp(
  [
    '\\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ECONNABORTED|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE)\\b',
    '\\bUND_ERR_(CONNECT|HEADERS|BODY|SOCKET)',
    'fetch failed|socket hang up|getaddrinfo|no such host|dial (tcp|udp)|i/o timeout|context deadline exceeded',
    "host ?name not found|name or service not known|(temporary failure in )?name resolution|could ?n[o'’]t resolve host|failed to resolve",
    'connection (was )?(refused|reset|aborted|timed out)|network (is unreachable|error)|no route to host',
    '(connect|connection|request) ?(has )?(timeout|timed out)|max retries exceeded|unable to connect',
    '\\b(502 bad gateway|503 service unavailable|504 gateway time-?out)\\b',
  ].join('|'),
  'i',
);
