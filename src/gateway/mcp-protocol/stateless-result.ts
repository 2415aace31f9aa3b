import { ProtocolErrorCode } from '@modelcontextprotocol/server';
import { IDENTITY } from './agent-server-methods.service.js';

type Loose = Record<string, unknown>;

/**
 * A result of 2026-07-28 says what it is, and which server it comes from. A complete one has content, which earlier
 * revisions let a server leave out.
 */
export function statelessResult(result: Loose): Loose {
  const meta = { ...(result._meta as Loose | undefined), 'io.modelcontextprotocol/serverInfo': IDENTITY };
  const { resultType = 'complete' } = result;
  const lacksContent = resultType === 'complete' && result.content === undefined;
  return { ...result, ...(lacksContent && { content: [] }), resultType, _meta: meta };
}

/** Returns the HTTP status of a JSON-RPC error: 2026-07-28 has one of its own for a capability that the request lacks. */
export function statelessStatusOf(code: number): 200 | 400 {
  return code === Number(ProtocolErrorCode.MissingRequiredClientCapability) ? 400 : 200;
}
