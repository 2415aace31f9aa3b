import { ApiProperty, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsUrl,
  IsUUID,
} from 'class-validator';
import { IsText } from '../../platform/http/text-rules.js';
import { MayBeAbsent, MayBeNull } from '../../platform/http/validation.pipe.js';
import { eventTypes } from '../../platform/journal/event-types.js';

const areas = [...new Set(eventTypes.map((type) => type.slice(0, type.lastIndexOf('.'))))];

/** What a webhook can be limited to: one type, or all types of an area (`issue.*`). */
export const webhookEventTypes: string[] = [...eventTypes, ...areas.map((area) => `${area}.*`)];

const urlRule = {
  protocols: ['http', 'https'],
  require_protocol: true,
  require_tld: false,
  disallow_auth: true,
};

export class CreateWebhookRequest {
  /**
   * Where events are sent: a public address, or one that OUTBOUND_ALLOWED_HOSTS names. Redirects are not followed.
   * @example https://example.com/hooks/work
   */
  @IsUrl(urlRule, { message: 'must be an http or https address without a user name' })
  @IsText({ min: 1, max: 2000, unit: 'bytes' })
  url!: string;

  /** @example "Starts a build when an issue is closed" */
  @MayBeAbsent()
  @IsText({ min: 0, max: 1000, unit: 'codePoints' })
  description?: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    required: false,
    example: ['issue.*', 'comment.created'],
    description: 'Event types, or areas such as `issue.*`. Without it, or with null, all events are sent.',
  })
  @MayBeNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsIn(webhookEventTypes, {
    each: true,
    message: 'must hold only types of events, such as issue.created, or areas, such as issue.*',
  })
  eventTypes?: string[] | null;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    required: false,
    description:
      'Sends only events of this project. Without it, or with null, events of all projects are sent.',
  })
  @MayBeNull()
  @IsUUID()
  projectId?: string | null;
}

export class UpdateWebhookRequest extends PartialType(CreateWebhookRequest, { skipNullProperties: false }) {
  /** A disabled webhook is sent no events. Events of that time are not sent later. */
  @MayBeAbsent()
  @IsBoolean()
  disabled?: boolean;
}
