import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';

export class CallToolRequest {
  /** The arguments, as the tool's input schema describes them. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { message: 'Hello' } })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object' })
  arguments?: Record<string, unknown>;
}
