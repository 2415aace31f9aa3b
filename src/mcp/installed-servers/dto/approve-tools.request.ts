import { ArrayMaxSize, IsArray, IsString } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/body/presence.decorators.js';

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
