import { createHash } from 'node:crypto';
import { jsonText, withNumbers } from '../../../platform/json/exact-json.js';
import type { ExactNumber } from '../../../platform/json/exact-number.js';

/** A request of a session, as every process that serves the session knows it. */
export interface SessionRequest {
  sessionId: string;
  /** A number that JavaScript cannot hold may be an exact one, or the mark of one. */
  requestId: string | number | ExactNumber;
}

/** Returns the name under which the database knows the request. A client cannot form it for a session that it does not know. */
export function cancelKeyOf({ sessionId, requestId }: SessionRequest): string {
  const id = jsonText(withNumbers(requestId));
  return createHash('sha256').update(`${sessionId}\n${id}`).digest('base64url');
}
