import { ApiProperty } from '@nestjs/swagger';
import { IsEmail, MaxLength } from 'class-validator';
import { MayBeAbsent } from '../../../http/body/presence.decorators.js';
import { IsText } from '../../../http/body/text-rules.js';

/** A field that is left out keeps its value. */
export class UpdateMeRequest {
  /** @example "Ada Lovelace" */
  @MayBeAbsent()
  @IsText({ min: 1, max: 200, unit: 'codePoints', trim: true })
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
