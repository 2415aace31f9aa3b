import {
  Body,
  Controller,
  Delete,
  Get,
  Header,
  HttpCode,
  Param,
  Post,
  Put,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Unauthenticated } from '../authentication/authentication.errors.js';
import { Allow, Public } from '../authentication/route-policies-and-agent-itself.js';
import { OidcRateService } from '../authentication/request-limits-and-refusal-records.service.js';
import {
  SessionAuthenticationService,
  SessionCookieService,
} from '../authentication/session-cookie-authentication.service.js';
import { Problem } from '../http/problem.js';
import { leadTo, ownPath } from '../http/origins-and-redirects.js';
import { readBody } from '../http/request-body.js';
import { CarriesSecret, ReadsOwnBody, Refuses, RefusesIdempotencyKey } from '../http/route.decorators.js';
import { BackchannelLogoutService } from './backchannel-logout.service.js';
import { OidcCookieService, OidcSignInService, SignInRecordsService } from './oidc-sign-in.service.js';
import { CurrentIdentityResponse, IdentityResponse, OidcLoginQuery, SetIdentityRequest } from './oidc.dto.js';
import { type SignInReason, SignInRefused } from './sign-in-refusal-reasons.js';
import { UserIdentityService } from './user-identity.service.js';

/** A browser follows these routes as addresses, so that every error leads to the sign-in page. */
@ApiTags('Sessions')
@Controller('api/auth/oidc')
export class OidcController {
  constructor(
    private readonly signIns: OidcSignInService,
    private readonly records: SignInRecordsService,
    private readonly rate: OidcRateService,
    private readonly browserCookie: OidcCookieService,
    private readonly sessionCookie: SessionCookieService,
    private readonly sessions: SessionAuthenticationService,
  ) {}

  /** Leads the browser to the OpenID provider, or to the sign-in page with the reason in `problem`. */
  @Get('login')
  @Public()
  @CarriesSecret()
  @ApiResponse({ status: 303, description: 'The sign-in page of the OpenID provider, or of the service.' })
  async login(
    @Query() query: OidcLoginQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.rate.count();
    const returnTo = ownPath(query.returnTo);
    try {
      const session = query.confirm ? await this.sessionOf(request) : null;
      const url = await this.signIns.begin(this.browserCookie.begin(request, response), returnTo, session);
      leadTo(response, url.href);
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      await this.records.refused(error);
      leadTo(response, signInPage(error.reason, returnTo));
    }
  }

  /**
   * Takes the answer of the OpenID provider, sets the session cookie and leads on. The session that the browser had before
   * ends. A refused sign-in leads to the sign-in page with the reason in `problem`.
   */
  @Get('callback')
  @Public()
  @CarriesSecret()
  @ApiResponse({ status: 303, description: 'The page that the sign-in was begun for, or the sign-in page.' })
  async callback(
    // Providers add parameters of their own, so that this query has no class that would refuse them.
    @Query() _query: Record<string, unknown>,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.rate.count();
    const outcome = await this.signIns.complete({
      query: new URL(request.originalUrl, 'http://service.invalid').searchParams,
      secret: this.browserCookie.secretIn(request),
      sessionToken: this.sessionCookie.tokenIn(request),
      userAgent: request.headers['user-agent'] ?? null,
    });
    this.browserCookie.clear(request, response);
    if (outcome.reason === null && outcome.token !== null)
      this.sessionCookie.set(request, response, outcome.token);
    leadTo(
      response,
      outcome.reason === null ? outcome.returnTo : signInPage(outcome.reason, outcome.returnTo),
    );
  }

  /** @throws {SignInRefused} when the browser has no session to confirm */
  private async sessionOf(request: Request): Promise<string | null> {
    try {
      return (await this.sessions.principalOf(this.sessionCookie.tokenIn(request) ?? '')).sessionId;
    } catch (error) {
      throw error instanceof Unauthenticated ? new SignInRefused('expired') : error;
    }
  }
}

function signInPage(problem: SignInReason, returnTo: string): string {
  const query = new URLSearchParams({ problem, ...(returnTo !== '/' && { next: returnTo }) });
  return `/login?${query.toString()}`;
}

const FORM = 'application/x-www-form-urlencoded';
const MOST_BYTES = 32_768;

/** Receives the logouts of the OpenID provider. */
@ApiTags('Sessions')
@Controller('api/auth/oidc/backchannel-logout')
export class BackchannelLogoutController {
  constructor(
    private readonly logouts: BackchannelLogoutService,
    private readonly rate: OidcRateService,
  ) {}

  /** Ends the sessions that a logout token of the OpenID provider names. */
  @Post()
  @Public()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @RefusesIdempotencyKey()
  @ReadsOwnBody()
  @ApiConsumes(FORM)
  @ApiBody({
    schema: {
      type: 'object',
      required: ['logout_token'],
      properties: { logout_token: { type: 'string', example: 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ…' } },
    },
  })
  @Refuses('invalid_logout_token')
  async logout(@Req() request: Request): Promise<void> {
    await this.rate.count();
    const [type] = (request.headers['content-type'] ?? '').split(';', 1);
    if (type?.trim().toLowerCase() !== FORM)
      throw new Problem('unsupported_media_type', `Send the logout token as ${FORM}.`);
    const body = await readBody(request, { limit: MOST_BYTES, hold: () => undefined });
    if (body === null)
      throw new Problem('payload_too_large', `A logout token may have at most ${MOST_BYTES} bytes.`);
    await this.logouts.logout(new URLSearchParams(body.toString('latin1')).get('logout_token') ?? '');
  }
}

/**
 * Only an Owner joins a user with a person at the provider: an Admin who joined a user of their own with the person of an
 * Owner would be Owner once the roles of that person arrive.
 */
@ApiTags('Users and keys')
@Controller('api/users/:userId/identity')
export class UserIdentityController {
  constructor(private readonly identities: UserIdentityService) {}

  /** Returns which person at the configured OpenID provider a user is. */
  @Get()
  @Allow({ role: 'Owner' })
  @Refuses('not_found')
  async get(@Param('userId') userId: string): Promise<CurrentIdentityResponse> {
    return this.identities.get(userId);
  }

  /** Says which person at the OpenID provider a user is. The sessions of the user end. */
  @Put()
  @Allow({ role: 'Owner' })
  @Refuses('not_found', 'name_taken')
  async set(
    @Param('userId') userId: string,
    @Body() { subject }: SetIdentityRequest,
  ): Promise<IdentityResponse> {
    return IdentityResponse.from(await this.identities.set(userId, subject));
  }

  /** Separates a user from the person at the OpenID provider. The sessions of the user end. */
  @Delete()
  @HttpCode(204)
  @Allow({ role: 'Owner' })
  @Refuses('not_found', 'last_owner')
  async remove(@Param('userId') userId: string): Promise<void> {
    await this.identities.remove(userId);
  }
}
