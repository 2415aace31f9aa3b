import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Settings } from '../config/settings.js';
import { CarriesSecret, Refuses, RefusesIdempotencyKey } from '../http/route.decorators.js';
import { LoginsService, OwnPasswordService, PasswordRuleService } from './logins-and-own-password.service.js';
import { Allow, AllowSession, Caller, Public } from '../authentication/route-policies-and-agent-itself.js';
import { actorOf, type UserPrincipal } from '../authentication/principals-and-roles.js';
import { SessionCookieService } from '../authentication/session-cookie-authentication.service.js';
import {
  ChangePasswordRequest,
  LoginRequest,
  SignInMethodsResponse,
  UserResponse,
} from '../authentication/user-session-and-password.dto.js';

@ApiTags('Sessions')
@Controller('api/auth/methods')
export class SignInMethodsController {
  constructor(
    private readonly settings: Settings,
    private readonly passwordRule: PasswordRuleService,
  ) {}

  /** Returns how people sign in, for a sign-in page. */
  @Get()
  @Public()
  get(@Req() request: Request): SignInMethodsResponse {
    const { oidc } = this.settings;
    return {
      password: this.passwordRule.accepts(request),
      oidc: oidc && { name: oidc.name, url: '/api/auth/oidc/login' },
    };
  }
}

/** Signs users of the dashboard in and out with a password. */
@ApiTags('Sessions')
@Controller('api/auth')
export class SessionsController {
  constructor(
    private readonly logins: LoginsService,
    private readonly passwords: OwnPasswordService,
    private readonly cookie: SessionCookieService,
    private readonly passwordRule: PasswordRuleService,
  ) {}

  /** Signs in and sets the session cookie. The session that the browser had before ends. */
  @Post('login')
  @RefusesIdempotencyKey()
  @HttpCode(200)
  @Public()
  @CarriesSecret()
  @Refuses('unauthenticated', 'password_login_off')
  async login(
    @Body() body: LoginRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserResponse> {
    this.passwordRule.enforce(request);
    const formerToken = this.cookie.tokenIn(request);
    const userAgent = request.headers['user-agent'] ?? null;
    const { user, token } = await this.logins.login({ ...body, formerToken, userAgent });
    this.cookie.set(request, response, token);
    return UserResponse.from(user);
  }

  /** Signs out. The session ends at once on the server. */
  @Post('logout')
  @RefusesIdempotencyKey()
  @HttpCode(204)
  @AllowSession()
  async logout(
    @Caller() caller: UserPrincipal,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    if (caller.sessionId) await this.logins.logout(actorOf(caller), caller.sessionId);
    this.cookie.clear(request, response);
  }

  /** Changes the caller's own password and ends all of the caller's sessions, including this one. */
  @Post('password')
  @RefusesIdempotencyKey()
  @HttpCode(204)
  @Allow({ role: null })
  @CarriesSecret()
  async changePassword(
    @Caller() caller: UserPrincipal,
    @Body() body: ChangePasswordRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.passwords.change(caller, body);
    if (caller.sessionId) this.cookie.clear(request, response);
  }
}
