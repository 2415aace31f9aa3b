import { ApiProperty } from '@nestjs/swagger';

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
