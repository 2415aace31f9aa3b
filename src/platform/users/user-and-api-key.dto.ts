import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsDate, IsEmail, IsIn, MaxLength, MinDate } from 'class-validator';
import type { ApiKeyRow } from '../authentication/api-key.repository.js';
import { type Role, roles } from '../authentication/principals-and-roles.js';
import { IsNewPassword, LEAST_PASSWORD } from '../authentication/user-session-and-password.dto.js';
import { pick } from '../http/pick.js';
import { INSTANT_MESSAGE, IsName, IsText, toInstant } from '../http/text-and-instant-rules.js';
import { MayBeAbsent, MayBeNull } from '../http/validation.pipe.js';

/** A key without its secret. */
export class ApiKeyResponse {
  /** @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a02 */
  id!: string;
  /** @example laptop */
  name!: string;
  /**
   * The first 12 characters, to recognise the key by.
   * @example awp_u_3kT9aZ
   */
  prefix!: string;
  @ApiProperty({
    enum: roles,
    enumName: 'Role',
    nullable: true,
    description: 'The role that the key is limited to; null means the role of its owner.',
  })
  role!: Role | null;
  /** The key that this one was made with: it ends with that key. */
  @ApiProperty({ type: String, nullable: true })
  parentKeyId!: string | null;
  expiresAt!: Date | null;
  lastUsedAt!: Date | null;
  createdAt!: Date;

  static from(row: ApiKeyRow): ApiKeyResponse {
    return pick(row, 'id', 'name', 'prefix', 'role', 'parentKeyId', 'expiresAt', 'lastUsedAt', 'createdAt');
  }
}

/** A new key with its secret. No other response holds it. */
export class NewApiKeyResponse extends ApiKeyResponse {
  /** @example awp_u_0123456789012345678901234567890123456789012abcdef */
  key!: string;

  static of({ row, key }: { row: ApiKeyRow; key: string }): NewApiKeyResponse {
    return { ...ApiKeyResponse.from(row), key };
  }
}

export class CreateApiKeyRequest {
  /** @example laptop */
  @IsName()
  name!: string;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    nullable: true,
    required: false,
    description:
      'When the key expires. The default is 90 days for a user and never for an agent; null means never.',
    example: '2099-01-31T00:00:00.000Z',
  })
  @Transform(toInstant)
  @MayBeNull()
  @IsDate({ message: INSTANT_MESSAGE })
  @MinDate(() => new Date(), { message: 'must lie in the future' })
  expiresAt?: Date | null;

  @ApiProperty({
    enum: roles,
    enumName: 'Role',
    required: false,
    description: "Limits the key to a role below its owner's.",
  })
  @MayBeAbsent()
  @IsIn(roles)
  role?: Role;
}

/** A key for the routes below `/api/mcp`. No other response holds it. */
export class ElevatedKeyResponse {
  /** @example awp_u_0123456789012345678901234567890123456789012abcdef */
  key!: string;
  /** When the key ends, at most 15 minutes from now. */
  expiresAt!: Date;
}

export class ElevateRequest {
  @ApiProperty({
    description:
      "The caller's own password; left out by a person who has just signed in again at the OpenID provider.",
    example: 'correct horse battery staple',
    required: false,
  })
  @MayBeAbsent()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  password?: string;
}

export class UpdateUserRequest {
  /** @example grace@example.com */
  @MayBeAbsent()
  @IsEmail()
  @MaxLength(254)
  email?: string;

  /** @example "Grace Hopper" */
  @MayBeAbsent()
  @IsName()
  name?: string;

  @ApiProperty({ enum: roles, enumName: 'Role', example: 'Editor', required: false })
  @MayBeAbsent()
  @IsIn(roles)
  role?: Role;

  @ApiProperty({ minLength: LEAST_PASSWORD, required: false })
  @MayBeAbsent()
  @IsNewPassword()
  password?: string;

  /** true disables the user, whose keys and sessions stop working at once. */
  @MayBeAbsent()
  @IsBoolean()
  disabled?: boolean;
}

/** A field that is left out keeps its value. */
export class UpdateMeRequest {
  /** @example "Ada Lovelace" */
  @MayBeAbsent()
  @IsName()
  name?: string;

  /** The address to sign in with. A new one needs `currentPassword`, unless the user has no password. */
  @MayBeAbsent()
  @IsEmail()
  @MaxLength(254)
  email?: string;

  @ApiProperty({ required: false, description: 'The password of the caller, for a new e-mail address.' })
  @MayBeAbsent()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  currentPassword?: string;
}

export class CreateUserRequest {
  /** @example grace@example.com */
  @IsEmail()
  @MaxLength(254)
  email!: string;

  /** @example "Grace Hopper" */
  @IsName()
  name!: string;

  @ApiProperty({ enum: roles, enumName: 'Role', example: 'Editor' })
  @IsIn(roles)
  role!: Role;

  /** The password for the dashboard. A user without one can use keys only. */
  @ApiProperty({ minLength: LEAST_PASSWORD, required: false })
  @MayBeAbsent()
  @IsNewPassword()
  password?: string;
}
