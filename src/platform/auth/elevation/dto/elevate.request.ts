import { ApiProperty } from '@nestjs/swagger';
import { MayBeAbsent } from '../../../http/body/presence.decorators.js';
import { IsText } from '../../../http/body/text-rules.js';

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
