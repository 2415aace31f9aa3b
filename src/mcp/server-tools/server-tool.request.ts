import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsObject, IsString } from 'class-validator';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';

export class CallToolRequest {
  /** The arguments, as the tool's input schema describes them. */
  @ApiProperty({ type: 'object', additionalProperties: true, example: { message: 'Hello' } })
  @MayBeAbsent()
  @IsObject({ message: 'must be an object' })
  arguments?: Record<string, unknown>;
}

export class ApproveToolsRequest {
  /**
   * Names of the tools to approve. Default: all tools that are not approved.
   * @example ["echo"]
   */
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(2000)
  @IsString({ each: true })
  names?: string[];
}
