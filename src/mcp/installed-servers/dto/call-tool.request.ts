import { ApiProperty } from '@nestjs/swagger';
import { IsObject } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/presence.decorators.js';

export class CallToolRequest {
  /** As the tool's input schema asks for them. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { message: 'Hello' } })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object' })
  arguments?: Record<string, unknown>;
}
