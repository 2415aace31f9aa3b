import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CarriesSecret } from '../../http/routes/carries-secret.decorator.js';
import { Refuses } from '../../http/problem/refuses.decorator.js';
import { Caller } from '../caller.decorator.js';
import { Allow, AllowSession, Public } from '../policy.js';
import { actorOf, type UserPrincipal } from '../principal.js';
import { UserResponse } from '../users/dto/user.response.js';
import { ChangePasswordRequest } from './dto/change-password.request.js';
import { LoginRequest } from './dto/login.request.js';
import { LoginsService } from './logins.service.js';
import { OwnPasswordService } from './own-password.service.js';
import { PasswordRuleService } from './password-rule.service.js';
import { RefusesIdempotencyKey } from '../../http/idempotency/idempotent.decorator.js';
import { SessionCookieService } from './session-cookie.service.js';

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
