import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  Allow,
  AllowAnyone,
  AllowSession,
  Caller,
} from '../authentication/route-policies-and-agent-itself.js';
import type { Principal, UserPrincipal } from '../authentication/principals-and-roles.js';
import { MeResponse, SessionResponse } from '../authentication/user-session-and-password.dto.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../http/page-and-cursor.query.js';
import { CarriesSecret, MayCarrySecret, Refuses, RefusesIdempotencyKey } from '../http/route.decorators.js';
import { PasswordRuleService } from '../passwords/logins-and-own-password.service.js';
import {
  ApiKeyResponse,
  CreateApiKeyRequest,
  ElevatedKeyResponse,
  ElevateRequest,
  NewApiKeyResponse,
  UpdateMeRequest,
} from './user-and-api-key.dto.js';
import { UserKeysService } from './api-keys.service.js';
import { ElevationService } from './elevation.service.js';
import { OwnProfileService, UserSessionsService } from './users-profiles-sessions.service.js';

@ApiTags('Sessions')
@Controller('api/auth/sessions')
export class OwnSessionsController {
  constructor(private readonly sessions: UserSessionsService) {}

  /** Lists the caller's own sessions that have not ended, oldest first. */
  @Get()
  @Allow({ role: null })
  async list(
    @Caller() caller: UserPrincipal,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResponse[]> {
    const page = await this.sessions.list(caller.id, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map((row) => SessionResponse.from(row, caller.sessionId));
  }

  /** Ends one of the caller's sessions at once, for example of a browser that was left signed in. */
  @Delete(':sessionId')
  @HttpCode(204)
  @Allow({ role: null })
  @Refuses('not_found')
  async end(@Caller() caller: UserPrincipal, @Param('sessionId') sessionId: string): Promise<void> {
    await this.sessions.end(caller, caller.id, sessionId);
  }
}

/** Serves the caller's own identity and keys. */
@ApiTags('Users and keys')
@Controller('api/auth')
export class MeController {
  constructor(
    private readonly keys: UserKeysService,
    private readonly profile: OwnProfileService,
  ) {}

  /** Returns who the caller is and when its key expires. */
  @Get('me')
  @AllowAnyone()
  me(@Caller() caller: Principal): MeResponse {
    return MeResponse.from(caller);
  }

  /** Changes the caller's own name and e-mail address. A new address needs the password. */
  @Put('me')
  @Allow({ role: null })
  @MayCarrySecret('currentPassword')
  @Refuses('name_taken', 'https_required')
  async update(@Caller() caller: UserPrincipal, @Body() body: UpdateMeRequest): Promise<MeResponse> {
    const { name, email } = await this.profile.change(caller, body);
    return MeResponse.from({ ...caller, name, email });
  }

  /** Lists the caller's own keys, oldest first, without their secrets. */
  @Get('keys')
  @Allow({ role: null })
  async list(
    @Caller() caller: UserPrincipal,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ApiKeyResponse[]> {
    const page = await this.keys.list(caller.id, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(ApiKeyResponse.from);
  }

  /** Creates a key for the caller. No other response holds the key. */
  @Post('keys')
  @Allow({ role: null })
  @CarriesSecret()
  async create(
    @Caller() caller: UserPrincipal,
    @Body() body: CreateApiKeyRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewApiKeyResponse> {
    const made = await this.keys.create(caller, caller.id, body);
    response.location(`/api/auth/keys/${made.row.id}`);
    return NewApiKeyResponse.of(made);
  }

  /** Deletes one of the caller's keys, which stops working at once. */
  @Delete('keys/:keyId')
  @HttpCode(204)
  @Allow({ role: null })
  @Refuses('not_found')
  async delete(@Caller() caller: UserPrincipal, @Param('keyId') keyId: string): Promise<void> {
    await this.keys.delete(caller, caller.id, keyId);
  }
}

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
