import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsDate, IsIn, MinDate } from 'class-validator';
import { MayBeAbsent, MayBeNull } from '../../../http/body/presence.decorators.js';
import { IsText } from '../../../http/body/text-rules.js';
import { INSTANT_MESSAGE, toInstant } from '../../../http/body/instant.js';
import { roles, type Role } from '../../roles.js';

export class CreateApiKeyRequest {
  /** @example laptop */
  @IsText({ min: 1, max: 200, unit: 'codePoints', trim: true })
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
