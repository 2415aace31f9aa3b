/**
 * Why a sign-in by OIDC ends on the sign-in page (contract §2.9). The dashboard has a sentence for each word that says
 * what to do.
 */
export type SignInReason =
  | 'off'
  | 'busy'
  | 'unavailable'
  | 'misconfigured'
  | 'expired'
  | 'cancelled'
  | 'invalid'
  | 'no_role'
  | 'no_email'
  | 'email_taken'
  | 'disabled'
  | 'other_person'
  | 'not_confirmed';

/** A sign-in was refused. `about` goes into the audit and the log: it holds no token and no code. */
export class SignInRefused extends Error {
  constructor(
    readonly reason: SignInReason,
    readonly about: Readonly<Record<string, unknown>> = {},
  ) {
    super(`The sign-in was refused: ${reason}.`);
    this.name = 'SignInRefused';
  }
}
