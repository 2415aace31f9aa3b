import { createHash } from 'node:crypto';

/** A request of a session, as every process that serves the session knows it. */
export interface SessionRequest {
  sessionId: string;
  requestId: string | number;
}

/** Returns the name under which the database knows the request, which nobody can form who does not know the session. */
export function cancelKeyOf({ sessionId, requestId }: SessionRequest): string {
  const typed = `${typeof requestId} ${requestId}`;
  return createHash('sha256').update(`${sessionId}\n${typed}`).digest('base64url');
}
