import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsEmail, IsIn, MaxLength } from 'class-validator';
import { type Role, roles } from '../authentication/principals-and-roles.js';
import { IsName, IsText } from '../http/text-rules.js';
import { MayBeAbsent } from '../http/validation.pipe.js';

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

  @ApiProperty({ minLength: 12, required: false })
  @MayBeAbsent()
  @IsText({ min: 12, max: 1000, unit: 'codePoints' })
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
  @ApiProperty({ minLength: 12, required: false })
  @MayBeAbsent()
  @IsText({ min: 12, max: 1000, unit: 'codePoints' })
  password?: string;
}
