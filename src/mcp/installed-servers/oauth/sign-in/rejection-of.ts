import { factsOf, isNoAnswer, isTemporary } from '../../../../platform/auth/oidc/oidc-errors.js';
import { OutboundError } from '../../../../platform/http/outbound/outbound-error.js';
import { McpUnavailable } from '../../../processes/connection/mcp-errors.js';
import { refusalCodeOf } from '../refusal-code.js';
import { SignInRejected, type SignInOutcome } from './sign-in.errors.js';

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
