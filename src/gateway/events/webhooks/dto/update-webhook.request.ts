import { PartialType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { MayBeAbsent } from '../../../../platform/http/presence.decorators.js';
import { CreateWebhookRequest } from './create-webhook.request.js';

export class UpdateWebhookRequest extends PartialType(CreateWebhookRequest, { skipNullProperties: false }) {
  /** A disabled webhook is sent nothing; what happens meanwhile is not made up for. */
  @MayBeAbsent()
  @IsBoolean()
  disabled?: boolean;
}
