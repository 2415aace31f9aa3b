import type { Identity } from '../oidc-identities.repository.js';

/** The person at the OpenID provider who signs in as a user. */
export class IdentityResponse {
  /** @example https://login.example.com */
  issuer!: string;
  /** @example 248289761001 */
  subject!: string;

  static from({ issuer, subject }: Identity): IdentityResponse {
    return { issuer, subject };
  }
}
