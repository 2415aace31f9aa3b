import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsBoolean, IsString } from 'class-validator';
import { MayBeAbsent } from '../../../http/body/presence.decorators.js';
import { toBoolean } from '../../../http/pages/page.query.js';

export class OidcLoginQuery {
  /** The path of this service that the sign-in leads to. Anything else counts as `/`. @example /p/DOCS/board */
  @MayBeAbsent()
  @IsString()
  returnTo?: string;

  @ApiProperty({
    type: 'boolean',
    default: false,
    required: false,
    description:
      'true: the person enters credentials again and confirms the session of this browser, for elevated mode.',
  })
  @Transform(toBoolean)
  @IsBoolean()
  confirm: boolean = false;
}
