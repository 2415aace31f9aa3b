const MOST_NAMED = 5;

/**
 * Adds a sentence to the error of a tool during whose call the server's network rule refused hosts, because the server
 * itself only knows that a connection failed. A result without error stays as it is.
 */
export function withRefusals(
  result: Record<string, unknown>,
  targets: readonly string[],
): Record<string, unknown> {
  if (targets.length === 0 || result.isError !== true || !Array.isArray(result.content)) return result;
  const named = targets.slice(0, MOST_NAMED).join(', ');
  const text = `The network rule of this server refused: ${named}. An admin can name the host in the catalogue entry.`;
  return { ...result, content: [...(result.content as unknown[]), { type: 'text', text }] };
}
