import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsIn, IsUrl, IsUUID } from 'class-validator';
import { MayBeAbsent, MayBeNull } from '../../../../platform/http/presence.decorators.js';
import { IsText } from '../../../../platform/http/text-rules.js';
import { webhookEventTypes } from './event-type.rule.js';

const urlRule = {
  protocols: ['http', 'https'],
  require_protocol: true,
  require_tld: false,
  disallow_auth: true,
};

export class CreateWebhookRequest {
  /**
   * Where events are sent: a public address, or one that MCP_ALLOWED_HOSTS names. Redirects are not followed.
   * @example https://example.com/hooks/work
   */
  @IsUrl(urlRule, { message: 'must be an http or https address without a user name' })
  @IsText({ min: 1, max: 2000, unit: 'bytes' })
  url!: string;

  /** @example "Tells the build when an issue is closed" */
  @MayBeAbsent()
  @IsText({ min: 0, max: 1000, unit: 'codePoints' })
  description?: string;

  @ApiProperty({
    type: 'array',
    items: { type: 'string' },
    nullable: true,
    required: false,
    example: ['issue.*', 'comment.created'],
    description: 'Types, or areas like `issue.*`; left out or null: all.',
  })
  @MayBeNull()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ArrayUnique()
  @IsIn(webhookEventTypes, { each: true })
  eventTypes?: string[] | null;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    required: false,
    description: 'Only what happens in this project; left out or null: everywhere.',
  })
  @MayBeNull()
  @IsUUID()
  projectId?: string | null;
}
