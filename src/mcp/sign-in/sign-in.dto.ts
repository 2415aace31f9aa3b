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

/** The service as a client: a Client ID Metadata Document, whose address is the id of the client. */
export class ClientDocumentResponse {
  /** @example https://awp.example.com/api/mcp/oauth/client.json */
  client_id!: string;
  /**
   * The name on the page of consent.
   * @example "Agent Work Platform"
   */
  client_name!: string;
  /** @example https://awp.example.com */
  client_uri!: string;
  /** @example ["https://awp.example.com/api/mcp/oauth/callback"] */
  redirect_uris!: string[];
  /** @example ["authorization_code", "refresh_token"] */
  grant_types!: string[];
  /** @example ["code"] */
  response_types!: string[];
  /**
   * The client has no secret: PKCE and the redirect URI protect the sign-in.
   * @example none
   */
  token_endpoint_auth_method!: string;
}
