import { Body, Controller, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Unauthenticated } from '../../platform/authentication/authentication.errors.js';
import { Allow, Caller, Public } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { OidcRateService } from '../../platform/authentication/request-limits-and-refusal-records.service.js';
import {
  SessionAuthenticationService,
  SessionCookieService,
} from '../../platform/authentication/session-cookie-authentication.service.js';
import { leadTo } from '../../platform/http/origins-and-redirects.js';
import { CarriesSecret, Refuses, RefusesIdempotencyKey } from '../../platform/http/route.decorators.js';
import { ClientDescriptionService } from '../oauth/client-identities.service.js';
import {
  OauthCallbackService,
  OauthSignInService,
} from './sign-in-beginning-callback-and-refusals.service.js';
import { BeginSignInRequest, BegunSignInResponse, ClientDocumentResponse } from './sign-in.dto.js';

/** What authorization servers of remote servers ask for, and where they send browsers. */
@ApiTags('MCP servers')
@Controller('api/mcp/oauth')
export class OauthController {
  constructor(
    private readonly callbacks: OauthCallbackService,
    private readonly description: ClientDescriptionService,
    private readonly sessions: SessionAuthenticationService,
    private readonly cookie: SessionCookieService,
    private readonly rate: OidcRateService,
  ) {}

  /** Describes the service as a client to authorization servers. The address of this document is the id of the client. */
  @Get('client.json')
  @Public()
  client(): ClientDocumentResponse {
    return this.description.document();
  }

  /**
   * Takes the answer of the authorization server of a remote server, and leads the browser on with the outcome in the
   * query `signIn`. It is worth nothing without the session in which the sign-in began.
   */
  @Get('callback')
  @Public()
  @CarriesSecret()
  @ApiResponse({ status: 303, description: 'The page that the sign-in was begun for, with `signIn`.' })
  async callback(
    // Servers add parameters of their own, so that this query has no class that would refuse them.
    @Query() _query: Record<string, unknown>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.complete(request, response, null);
  }

  /**
   * Takes the answer of the one authorization server for which the service has registered itself with this address. Otherwise
   * it does the same as `callback`.
   */
  @Get('callback/:issuerId')
  @Public()
  @CarriesSecret()
  @ApiResponse({ status: 303, description: 'The page that the sign-in was begun for, with `signIn`.' })
  async callbackOfIssuer(
    @Param('issuerId') issuerId: string,
    @Query() _query: Record<string, unknown>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.complete(request, response, issuerId);
  }

  private async complete(request: Request, response: Response, issuerId: string | null): Promise<void> {
    await this.rate.count();
    const query = new URL(request.originalUrl, 'http://service.invalid').searchParams;
    leadTo(response, await this.callbacks.complete({ query, issuerId }, await this.callerOf(request)));
  }

  private async callerOf(request: Request): Promise<UserPrincipal | null> {
    const token = this.cookie.tokenIn(request);
    if (token === null) return null;
    try {
      return await this.sessions.principalOf(token);
    } catch (error) {
      if (error instanceof Unauthenticated) return null;
      throw error;
    }
  }
}

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
