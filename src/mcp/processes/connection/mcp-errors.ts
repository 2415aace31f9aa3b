/** A JSON-RPC error that the server itself answered: code, message and data are its own, secrets masked. */
export class McpError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
    this.name = 'McpError';
  }
}

/** Why a server gave no answer. */
export type UnavailableKind =
  | 'start_failed'
  | 'died'
  | 'stopped'
  | 'outdated'
  | 'timed_out'
  | 'cancelled'
  | 'busy'
  /** The caller has as many calls running as it may have. */
  | 'own_calls'
  | 'too_large'
  | 'memory'
  | 'disk'
  | 'bad_answer'
  | 'unreachable'
  | 'credentials_refused'
  | 'sign_in_failed'
  | 'sign_in_needed'
  | 'session_lost';

/**
 * The server gave no usable answer. `reason` is a sentence for an agent: what happened and what to do now,
 * without secrets, paths or the server's own words.
 */
export class McpUnavailable extends Error {
  readonly reason: string;

  constructor(
    readonly kind: UnavailableKind,
    reason: string,
    /** When trying again makes sense, where that is known. */
    readonly retryAfterSeconds?: number,
  ) {
    super(reason);
    this.name = 'McpUnavailable';
    this.reason = reason;
  }
}

/** 401 or 403: the server is there, but does not take what it was sent. */
export function refusedCredentials(status: number): McpUnavailable {
  return new McpUnavailable(
    'credentials_refused',
    `The server refused the credentials (HTTP ${status}). An admin has to enter valid ones.`,
  );
}

/** Whether a server, or the authorization server before it, did not take the credentials. */
export function isRefusal(error: unknown): error is McpUnavailable {
  return isSignIn(error) || (error instanceof McpUnavailable && error.kind === 'credentials_refused');
}

/** Whether there is no access token for a server, because the service or a person is not signed in; the message says why. */
export function isSignIn(error: unknown): error is McpUnavailable {
  return (
    error instanceof McpUnavailable && (error.kind === 'sign_in_failed' || error.kind === 'sign_in_needed')
  );
}

/** Whether what a connection works with has been replaced, so that a new one may do what it could not. */
export function isOutdated(error: unknown): error is McpUnavailable {
  return error instanceof McpUnavailable && error.kind === 'outdated';
}

/** The steps of getting to know a server, in their order. */
export type StartPhase = 'spawn' | 'handshake' | 'list';

/** A server could not be started, greeted or asked for its tools; for people, so with its last words, masked. */
export class McpStartFailure extends Error {
  constructor(
    readonly phase: StartPhase,
    message: string,
    readonly stderrTail: string,
    /** True for 401 and 403, and where the service could not sign in: the credentials are not taken. */
    readonly credentialsRefused = false,
    /** The failure of a request behind this one. */
    cause?: unknown,
  ) {
    super(message, { cause });
    this.name = 'McpStartFailure';
  }
}
