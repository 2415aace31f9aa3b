/**
 * The `Link` header that names the next page: the request's own path and query with `cursor` in it, so that
 * a client which follows it keeps its filters (RFC 8288).
 * @param originalUrl path and query as the client sent them
 */
export function nextLink(originalUrl: string, cursor: string): string {
  // Parsed as a whole address, so that characters which would end the link early come out escaped.
  const { pathname, searchParams } = new URL(`http://host${originalUrl}`);
  searchParams.set('cursor', cursor);
  return `<${pathname}?${searchParams}>; rel="next"`;
}
