import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

type Loose = Record<string, unknown>;

/**
 * A client of 2025-11-25 that calls a tool as a task understands nothing but a task: a refusal becomes an error.
 * @throws {ProtocolError}
 */
export async function asTask(answered: Promise<Loose>): Promise<Loose> {
  const result = await answered;
  if ('task' in result) return result;
  throw new ProtocolError(ProtocolErrorCode.InvalidRequest, textOf(result), result.structuredContent);
}

/** Returns the error for a tool that is called as a task and needs no approval. */
export function noTask(name: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.MethodNotFound,
    `${name} needs no approval, so it cannot be called as a task: call it without one, and read the list of tools again.`,
  );
}

/** Refusals are results with one text. */
function textOf({ content }: Loose): string {
  const [first] = content as { text?: unknown }[];
  return String(first?.text);
}
