import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, IsIn, MaxLength } from 'class-validator';
import { MayBeAbsent } from '../../../http/body/presence.decorators.js';
import { IsText } from '../../../http/body/text-rules.js';
import { roles, type Role } from '../../roles.js';

export class CreateUserRequest {
  /** @example grace@example.com */
  @IsEmail()
  @MaxLength(254)
  email!: string;

  /** @example "Grace Hopper" */
  @IsText({ min: 1, max: 200, unit: 'codePoints', trim: true })
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
