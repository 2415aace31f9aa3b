import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CarriesSecret, MayCarrySecret } from '../../http/routes/carries-secret.decorator.js';
import { pageRequest, sendPageHeaders } from '../../http/pages/page.js';
import { PageQuery } from '../../http/pages/page.query.js';
import { Refuses } from '../../http/problem/refuses.decorator.js';
import { Caller } from '../caller.decorator.js';
import { ApiKeyResponse, NewApiKeyResponse } from '../keys/dto/api-key.response.js';
import { CreateApiKeyRequest } from '../keys/dto/create-api-key.request.js';
import { UserKeysService } from '../keys/user-keys.service.js';
import { Allow, AllowAnyone } from '../policy.js';
import type { Principal, UserPrincipal } from '../principal.js';
import { MeResponse } from './dto/me.response.js';
import { UpdateMeRequest } from './dto/update-me.request.js';
import { OwnProfileService } from './own-profile.service.js';

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
