import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsUrl, IsUUID } from 'class-validator';
import { MayBeAbsent, MayBeNull } from '../../../../platform/http/body/presence.decorators.js';
import { IsText } from '../../../../platform/http/body/text-rules.js';
import { webhookEventTypes } from './event-type.rule.js';

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
