import { Body, Controller, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow, Caller } from '../../platform/authentication/policy.js';
import type { UserPrincipal } from '../../platform/authentication/principal.js';
import { CarriesSecret, Refuses, RefusesIdempotencyKey } from '../../platform/http/route.decorators.js';
import { OauthSignInService } from './oauth-sign-in.service.js';
import { BeginSignInRequest, BegunSignInResponse } from './sign-in.dto.js';

@ApiTags('MCP servers')
@Controller('api/mcp/installed/:id/credential-sets/:name/sign-in')
export class CredentialSetSignInController {
  constructor(private readonly signIns: OauthSignInService) {}

  /**
   * Begins a sign-in at the authorization server of a remote server. A browser that has the session of the caller opens the
   * returned address within 10 minutes, and comes back with the outcome in the query `signIn`.
   */
  @Post()
  @HttpCode(200)
  @RefusesIdempotencyKey()
  @Allow({ role: 'Admin', bearerOnly: true })
  @CarriesSecret()
  @Refuses('not_found', 'sign_in_not_offered', 'missing_variables', 'sign_in_unavailable')
  begin(
    @Param('id') id: string,
    @Param('name') name: string,
    @Body() { returnTo }: BeginSignInRequest,
    @Caller() caller: UserPrincipal,
  ): Promise<BegunSignInResponse> {
    return this.signIns.begin(caller, id, name, returnTo);
  }
}
