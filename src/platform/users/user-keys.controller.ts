import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allow, Caller } from '../authentication/policy.js';
import type { UserPrincipal } from '../authentication/principal.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../http/page.query.js';
import { CarriesSecret, Refuses } from '../http/route.decorators.js';
import { ApiKeyResponse, CreateApiKeyRequest, NewApiKeyResponse } from './api-key.dto.js';
import { UserKeysService } from './api-keys.service.js';

@ApiTags('Users and keys')
@Controller('api/users/:userId/keys')
export class KeysOfUsersController {
  constructor(private readonly keys: UserKeysService) {}

  /** Lists a user's keys, oldest first, without their secrets. */
  @Get()
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async list(
    @Param('userId') userId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<ApiKeyResponse[]> {
    const page = await this.keys.list(userId, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(ApiKeyResponse.from);
  }

  /** Creates a key for a user. No other response holds the key. */
  @Post()
  @Allow({ role: 'Admin' })
  @CarriesSecret()
  @Refuses('not_found')
  async create(
    @Caller() caller: UserPrincipal,
    @Param('userId') userId: string,
    @Body() body: CreateApiKeyRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<NewApiKeyResponse> {
    const made = await this.keys.create(caller, userId, body);
    response.location(`/api/users/${made.row.userId}/keys/${made.row.id}`);
    return NewApiKeyResponse.of(made);
  }

  /** Deletes a user's key, which stops working at once. */
  @Delete(':keyId')
  @HttpCode(204)
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async delete(
    @Caller() caller: UserPrincipal,
    @Param('userId') userId: string,
    @Param('keyId') keyId: string,
  ): Promise<void> {
    await this.keys.delete(caller, userId, keyId);
  }
}
