import { AnswerMask } from './answer-mask.js';
import { asCallFailure } from './call-failure.js';
import { isRefusal, isSignIn, McpStartFailure, type McpError, type McpUnavailable } from './mcp-errors.js';
import type { ServerDescription } from '../server-description.js';

/** What is known of a handshake that did not come about. */
export interface FailedGreeting {
  server: ServerDescription;
  /** `exited with code 1`, where the process has ended. */
  ended: string | null;
  timedOut: boolean;
  /** What the transport itself took offence at. */
  fault: McpUnavailable | null;
  tail: string;
}

/** The end of the sentence about a server that ended; a verification puts the output in its place. */
export const LAST_OUTPUT = 'Its last output says more.';

/** Returns the sentence for people: the most specific cause that is known, which a library's error rarely is. */
export function startFailureOf(error: unknown, greeting: FailedGreeting): McpStartFailure {
  const mask = new AnswerMask(greeting.server.secrets);
  const failure = asCallFailure(error, mask);
  const refused = isRefusal(failure);
  return new McpStartFailure(
    'handshake',
    messageOf(greeting, failure, refused),
    greeting.tail,
    refused,
    failure,
  );
}

function messageOf(greeting: FailedGreeting, failure: McpError | McpUnavailable, refused: boolean): string {
  if (isSignIn(failure)) return failure.message;
  if (refused) return 'The server refused the credentials. Enter valid ones and verify again.';
  if (greeting.fault) return greeting.fault.reason;
  if (greeting.ended !== null)
    return `The server ${greeting.ended} before it had answered the handshake. ${LAST_OUTPUT}`;
  if (greeting.timedOut) return 'The server did not answer the handshake in time.';
  return failure.message;
}
