import { ArrayMaxSize, IsArray, IsString } from 'class-validator';
import { MayBeAbsent } from '../../../platform/http/presence.decorators.js';

export class ApproveToolsRequest {
  /**
   * Default: all that are not approved.
   * @example ["echo"]
   */
  @MayBeAbsent()
  @IsArray()
  @ArrayMaxSize(2000)
  @IsString({ each: true })
  names?: string[];
}
