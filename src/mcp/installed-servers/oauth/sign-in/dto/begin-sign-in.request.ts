import { IsString } from 'class-validator';
import { MayBeAbsent } from '../../../../../platform/http/body/presence.decorators.js';

export class BeginSignInRequest {
  /**
   * The path of this service that the sign-in leads to. Absent: the page of the server in the dashboard.
   * @example /servers
   */
  @MayBeAbsent()
  @IsString()
  returnTo?: string;
}
