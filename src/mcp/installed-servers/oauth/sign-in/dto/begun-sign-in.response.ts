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
