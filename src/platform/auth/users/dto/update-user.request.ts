import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsEmail, IsIn, MaxLength } from 'class-validator';
import { MayBeAbsent } from '../../../http/body/presence.decorators.js';
import { IsText } from '../../../http/body/text-rules.js';
import { roles, type Role } from '../../roles.js';

export class UpdateUserRequest {
  /** @example grace@example.com */
  @MayBeAbsent()
  @IsEmail()
  @MaxLength(254)
  email?: string;

  /** @example "Grace Hopper" */
  @MayBeAbsent()
  @IsText({ min: 1, max: 200, unit: 'codePoints', trim: true })
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
