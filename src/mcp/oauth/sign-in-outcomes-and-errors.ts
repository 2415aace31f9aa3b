import { z } from 'zod';
import { OutboundError } from '../../platform/http/outbound-addresses-and-errors.js';
import { Problem } from '../../platform/http/problem.js';
import { factsOf, isNoAnswer, isTemporary } from '../../platform/oidc/sign-in-refusal-reasons.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';

/** An authorization server gives no token. The sentence is for an agent, without secrets and without its words. */
export class SignInFailed extends McpUnavailable {
  /** @param why one sentence for an admin */
  constructor(readonly why: string) {
    super(
      'sign_in_failed',
      `The service could not sign in to this server: ${why} An admin has to correct it.`,
    );
  }
}

export function signInFailed(why: string): McpUnavailable {
  return new SignInFailed(why);
}

/** The errors of oauth4webapi: `ResponseBodyError` and `WWWAuthenticateChallengeError`. */
const refusal = z.union([
  z.object({ error: z.string() }),
  z.object({ cause: z.array(z.object({ parameters: z.object({ error: z.string().optional() }) })) }),
]);

/**
 * Returns the code with which an authorization server refused a request (RFC 6749), or null if it gave no usable answer.
 * A refusal has its code in the body, or with 401 in the challenge.
 */
export function refusalCodeOf(error: unknown): string | null {
  const parsed = refusal.safeParse(error);
  if (!parsed.success) return null;
  const code = 'error' in parsed.data ? parsed.data.error : parsed.data.cause[0]?.parameters.error;
  return code !== undefined && /^[a-z_]{1,40}$/.test(code) ? code : null;
}

/** 502: the authorization server of the server cannot be used. */
export class SignInUnavailable extends Problem {
  constructor(why: string) {
    super('sign_in_unavailable', `A sign-in to this server cannot begin: ${why}`);
  }
}

/** How a sign-in ended, in the query `signIn` of the page that the browser is led to (contract §3.7). */
export type SignInOutcome =
  | 'done'
  | 'expired'
  | 'cancelled'
  | 'refused'
  | 'invalid'
  | 'unavailable'
  | 'forbidden';

/** A sign-in ended without a grant. `error` is a stable word that goes into the journal, never a text of the server. */
export class SignInRejected extends Error {
  constructor(
    readonly outcome: Exclude<SignInOutcome, 'done'>,
    readonly error: string | null = null,
  ) {
    super(`The sign-in was rejected: ${outcome}.`);
    this.name = 'SignInRejected';
  }
}

/** Returns the rejection behind an error of the exchange of a code. Only stable words of the error are kept. */
export function rejectionOf(error: unknown): SignInRejected {
  if (error instanceof SignInRejected) return error;
  const outbound = OutboundError.behind(error);
  if (outbound) return new SignInRejected('unavailable', outbound.kind);
  if (error instanceof McpUnavailable) return new SignInRejected('unavailable', error.kind);
  const facts = { ...factsOf(error), oauth: refusalCodeOf(error) };
  return new SignInRejected(outcomeOf(facts), facts.oauth ?? facts.code);
}

function outcomeOf(facts: ReturnType<typeof factsOf>): Exclude<SignInOutcome, 'done'> {
  if (facts.oauth === 'access_denied') return 'cancelled';
  if (isTemporary(facts) || isNoAnswer(facts)) return 'unavailable';
  return facts.oauth === null ? 'invalid' : 'refused';
}
