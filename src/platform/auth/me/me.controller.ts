import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CarriesSecret } from '../../http/carries-secret.decorator.js';
import { pageRequest, tellPage } from '../../http/page.js';
import { PageQuery } from '../../http/page.query.js';
import { Refuses } from '../../http/refuses.decorator.js';
import { Caller } from '../caller.decorator.js';
import { ApiKeyResponse, NewApiKeyResponse } from '../keys/dto/api-key.response.js';
import { CreateApiKeyRequest } from '../keys/dto/create-api-key.request.js';
import { UserKeysService } from '../keys/user-keys.service.js';
import { Allow, AllowAnyone } from '../policy.js';
import type { Principal, UserPrincipal } from '../principal.js';
import { MeResponse } from './dto/me.response.js';

/** What a caller can ask about itself, and its own keys. */
@ApiTags('Users and keys')
@Controller('api/auth')
export class MeController {
  constructor(private readonly keys: UserKeysService) {}

  /** Who the caller is, and until when its key holds. */
  @Get('me')
  @AllowAnyone()
  me(@Caller() caller: Principal): MeResponse {
    return MeResponse.from(caller);
  }

  /** The caller's own keys, oldest first, without their secrets. */
  @Get('keys')
  @Allow({ role: null })
  async list(
    @Caller() caller: UserPrincipal,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ApiKeyResponse[]> {
    const page = await this.keys.list(caller.id, pageRequest(query));
    tellPage(request, response, page);
    return page.rows.map(ApiKeyResponse.from);
  }

  /** Makes a key of the caller's own; the answer is the only one that holds it. */
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

  /** Ends a key of the caller's own, at once. */
  @Delete('keys/:keyId')
  @HttpCode(204)
  @Allow({ role: null })
  @Refuses('not_found')
  async delete(@Caller() caller: UserPrincipal, @Param('keyId') keyId: string): Promise<void> {
    await this.keys.delete(caller, caller.id, keyId);
  }
}
