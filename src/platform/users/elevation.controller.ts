import { Body, Controller, Delete, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { PasswordRuleService } from '../passwords/passwords.service.js';
import { AllowSession, Caller } from '../authentication/policy.js';
import type { UserPrincipal } from '../authentication/principal.js';
import { CarriesSecret, Refuses, RefusesIdempotencyKey } from '../http/route.decorators.js';
import { ElevatedKeyResponse, ElevateRequest } from './elevation.dto.js';
import { ElevationService } from './elevation.service.js';

/** Gives a signed-in Admin a key for the routes that accept keys only. */
@ApiTags('Sessions')
@Controller('api/auth/elevate')
export class ElevationController {
  constructor(
    private readonly elevation: ElevationService,
    private readonly passwordRule: PasswordRuleService,
  ) {}

  /**
   * Returns a key that opens the routes below `/api/mcp`, and no others, for 15 minutes. It has the caller's role, ends with
   * the session, and is not among the caller's keys. No other response holds it.
   */
  @Post()
  @RefusesIdempotencyKey()
  @AllowSession({ role: 'Admin' })
  @CarriesSecret()
  @Refuses('wrong_password', 'confirmation_missing', 'password_login_off')
  async elevate(
    @Caller() caller: UserPrincipal,
    @Body() { password }: ElevateRequest,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ElevatedKeyResponse> {
    if (password !== undefined) this.passwordRule.enforce(request);
    const made =
      password === undefined
        ? await this.elevation.elevateConfirmed(caller, caller.sessionId!)
        : await this.elevation.elevate(caller, caller.sessionId!, password);
    response.location('/api/auth/elevate');
    return made;
  }

  /** Deletes the elevated keys of this session, which stop working at once. */
  @Delete()
  @RefusesIdempotencyKey()
  @HttpCode(204)
  @AllowSession()
  async end(@Caller() caller: UserPrincipal): Promise<void> {
    await this.elevation.end(caller, caller.sessionId!);
  }
}
