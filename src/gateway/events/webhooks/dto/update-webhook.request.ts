import { PartialType } from '@nestjs/swagger';
import { IsBoolean } from 'class-validator';
import { MayBeAbsent } from '../../../../platform/http/body/presence.decorators.js';
import { CreateWebhookRequest } from './create-webhook.request.js';

export class UpdateWebhookRequest extends PartialType(CreateWebhookRequest, { skipNullProperties: false }) {
  /** A disabled webhook is sent no events. Events of that time are not sent later. */
  @MayBeAbsent()
  @IsBoolean()
  disabled?: boolean;
}
