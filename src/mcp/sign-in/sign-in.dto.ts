import { IsString } from 'class-validator';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';

/** A sign-in that has begun. */
export class BegunSignInResponse {
  /**
   * The address at the authorization server that a browser with the caller's session has to open.
   * @example https://auth.example.com/authorize?response_type=code&client_id=awp&state=VZtq3kHl1s
   */
  authorizationUrl!: string;
  /** When the sign-in must have come back. */
  expiresAt!: Date;
}

export class BeginSignInRequest {
  /**
   * The path of this service that the sign-in leads to. Absent: the page of the server in the dashboard.
   * @example /servers
   */
  @MayBeAbsent()
  @IsString()
  returnTo?: string;
}
