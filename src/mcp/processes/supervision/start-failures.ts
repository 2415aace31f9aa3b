import { isOutdated, isSignIn, McpStartFailure, McpUnavailable } from '../connection/mcp-errors.js';
import type { ServerDescription } from '../server-description.js';

/** The failure of a start whose tools came too late. */
export function listedTooSlowly(limitMs: number): McpStartFailure {
  return new McpStartFailure('list', `The server did not list its tools within ${limitMs / 1000} s.`, '');
}

/** Returns a failed start as the error of the calls that wait for it; other errors as they are. */
export function asUnavailable(error: unknown, { name }: ServerDescription): unknown {
  if (!(error instanceof McpStartFailure)) return error;
  if (isSignIn(error.cause) || isOutdated(error.cause)) return error.cause;
  if (error.credentialsRefused)
    return new McpUnavailable(
      'credentials_refused',
      `${name} refused its credentials. An admin has to enter valid ones.`,
    );
  return new McpUnavailable('start_failed', `${name} could not be started: ${error.message}`);
}
