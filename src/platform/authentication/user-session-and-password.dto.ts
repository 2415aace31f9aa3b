import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, MaxLength } from 'class-validator';
import { pick } from '../http/pick.js';
import { IsText } from '../http/text-and-instant-rules.js';
import { type Principal, type Role, roles } from './principals-and-roles.js';
import type { SessionRow } from './session.repository.js';
import type { UserRow } from './user.repository.js';

/** The identity of the caller. */
export class MeResponse {
  @ApiProperty({ enum: ['user', 'agent'] })
  type!: 'user' | 'agent';
  id!: string;
  /** @example "Ada Lovelace" */
  name!: string;
  /** Users only. */
  email?: string;
  @ApiProperty({
    enum: roles,
    enumName: 'Role',
    required: false,
    description: 'Users only: the role of the user, or the lower one of the key in use.',
  })
  role?: Role;
  @ApiProperty({
    enum: ['password', 'oidc'],
    required: false,
    description: 'Sessions only: how the session in use began. Elevated mode is confirmed in the same way.',
  })
  signedInWith?: 'password' | 'oidc';
  /** When the key in use expires; null means never, or a session. */
  keyExpiresAt!: Date | null;

  static from(caller: Principal): MeResponse {
    const user = caller.type === 'user' ? pick(caller, 'email', 'role') : {};
    const signedInWith = caller.type === 'user' ? caller.signedInWith : null;
    const session = signedInWith === null ? {} : { signedInWith };
    return { ...pick(caller, 'type', 'id', 'name'), ...user, ...session, keyExpiresAt: caller.keyExpiresAt };
  }
}

/** A user of the service. */
export class UserResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01 */
  id!: string;
  /** @example ada@example.com */
  email!: string;
  /** @example "Ada Lovelace" */
  name!: string;
  @ApiProperty({ enum: roles, enumName: 'Role' })
  role!: Role;
  /** When the user was disabled; null while the user is enabled. */
  disabledAt!: Date | null;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: UserRow): UserResponse {
    return pick(row, 'id', 'email', 'name', 'role', 'disabledAt', 'createdAt', 'updatedAt');
  }
}

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

/** The fewest characters of a password that is set (contract §2.6). */
export const LEAST_PASSWORD = 12;
const LONGEST_PASSWORD = 1_000;

/** The rule of a password that is set. One that is sent to sign in may be any, because it is only compared. */
export const IsNewPassword = () => IsText({ min: LEAST_PASSWORD, max: LONGEST_PASSWORD, unit: 'codePoints' });

export class ChangePasswordRequest {
  @ApiProperty({ example: 'correct horse battery staple' })
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  currentPassword!: string;

  @ApiProperty({ minLength: LEAST_PASSWORD, example: 'a longer and better phrase' })
  @IsNewPassword()
  newPassword!: string;
}

export class LoginRequest {
  /** @example ada@example.com */
  @IsEmail()
  @MaxLength(254)
  email!: string;

  @ApiProperty({ example: 'correct horse battery staple' })
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  password!: string;
}
