import { ApiProperty } from '@nestjs/swagger';
import type { SessionRow } from './session.repository.js';

/** The OpenID provider with whose accounts people sign in. */
export class OidcMethodResponse {
  /** The name for "Continue with …". @example "Acme" */
  name!: string;
  /** The address that begins the sign-in. @example /api/auth/oidc/login */
  url!: string;
}

/** How people sign in, for a sign-in page. */
export class SignInMethodsResponse {
  @ApiProperty({ description: 'Whether a password may be tried from where the request comes.' })
  password!: boolean;
  @ApiProperty({
    type: OidcMethodResponse,
    nullable: true,
    description: 'null: no OpenID provider is configured.',
  })
  oidc!: OidcMethodResponse | null;
}

/** A session of a user, without its cookie. */
export class SessionResponse {
  id!: string;
  createdAt!: Date;
  /** The last use; it is written at most once per minute. */
  lastUsedAt!: Date;
  /** When the session ends if it is not used again. */
  expiresAt!: Date;
  /**
   * The address from which the user signed in; null where it is not known.
   * @example 203.0.113.7
   */
  address!: string | null;
  /**
   * The User-Agent header of the login, cut at 200 characters.
   * @example "Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0"
   */
  userAgent!: string | null;
  /** Whether this request was made with it. */
  isCurrent!: boolean;

  static from(
    { id, createdAt, lastUsedAt, expiresAt, address, userAgent }: SessionRow,
    current: string | null,
  ) {
    const fields = { id, createdAt, lastUsedAt, expiresAt, address, userAgent };
    return { ...fields, isCurrent: id === current } satisfies SessionResponse;
  }
}
