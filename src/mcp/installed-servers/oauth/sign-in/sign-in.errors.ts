import { Problem } from '../../../../platform/http/problem/problem.js';

/** 409: no person can sign in to this server. */
export class SignInNotOffered extends Problem {
  constructor(why: string) {
    super('sign_in_not_offered', why);
  }
}

/** 502: the authorization server of the server cannot be used. */
export class SignInUnavailable extends Problem {
  constructor(why: string) {
    super('sign_in_unavailable', `A sign-in to this server cannot begin: ${why}`);
  }
}

/** How a sign-in ended, in the query `signIn` of the page that the browser is led to (contract §3.7). */
export type SignInOutcome =
  'done' | 'expired' | 'cancelled' | 'refused' | 'invalid' | 'unavailable' | 'forbidden';

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
