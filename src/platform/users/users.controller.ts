import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allow, Caller } from '../authentication/route-policies-and-agent-itself.js';
import type { UserPrincipal } from '../authentication/principals-and-roles.js';
import { SessionResponse, UserResponse } from '../authentication/user-session-and-password.dto.js';
import { PageQuery, pageRequest, sendPageHeaders } from '../http/page-and-cursor.query.js';
import { CarriesSecret, MayCarrySecret, Refuses } from '../http/route.decorators.js';
import {
  ApiKeyResponse,
  CreateApiKeyRequest,
  CreateUserRequest,
  NewApiKeyResponse,
  UpdateUserRequest,
} from './user-and-api-key.dto.js';
import { UserKeysService } from './api-keys.service.js';
import { UserSessionsService, UsersService } from './users-profiles-sessions.service.js';

@ApiTags('Sessions')
@Controller('api/users/:userId/sessions')
export class SessionsOfUsersController {
  constructor(private readonly sessions: UserSessionsService) {}

  /** Lists the sessions of a user that have not ended, oldest first. */
  @Get()
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async list(
    @Caller() caller: UserPrincipal,
    @Param('userId') userId: string,
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResponse[]> {
    const page = await this.sessions.list(userId, pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map((row) => SessionResponse.from(row, caller.sessionId));
  }

  /** Ends a session of a user at once, unless the user's role is above the caller's. */
  @Delete(':sessionId')
  @HttpCode(204)
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async end(
    @Caller() caller: UserPrincipal,
    @Param('userId') userId: string,
    @Param('sessionId') sessionId: string,
  ): Promise<void> {
    await this.sessions.end(caller, userId, sessionId);
  }
}

@ApiTags('Users and keys')
@Controller('api/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  /** Lists all users, oldest first, including disabled ones. */
  @Get()
  @Allow({ role: 'Admin' })
  async list(
    @Query() query: PageQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserResponse[]> {
    const page = await this.users.list(pageRequest(query));
    sendPageHeaders(request, response, page);
    return page.rows.map(UserResponse.from);
  }

  /** Creates a user, whose role cannot be above the caller's. */
  @Post()
  @Allow({ role: 'Admin' })
  @MayCarrySecret('password')
  @Refuses('name_taken', 'https_required')
  async create(
    @Caller() caller: UserPrincipal,
    @Body() body: CreateUserRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<UserResponse> {
    const user = await this.users.create(caller, body);
    response.location(`/api/users/${user.id}`);
    return UserResponse.from(user);
  }

  /** Returns one user. */
  @Get(':userId')
  @Allow({ role: 'Admin' })
  @Refuses('not_found')
  async get(@Param('userId') userId: string): Promise<UserResponse> {
    return UserResponse.from(await this.users.get(userId));
  }

  /** Changes a user. A field that is left out keeps its value. */
  @Put(':userId')
  @Allow({ role: 'Admin' })
  @MayCarrySecret('password')
  @Refuses('not_found', 'name_taken', 'last_owner', 'https_required')
  async update(
    @Caller() caller: UserPrincipal,
    @Param('userId') userId: string,
    @Body() body: UpdateUserRequest,
  ): Promise<UserResponse> {
    return UserResponse.from(await this.users.update(caller, userId, body));
  }

  /** Disables a user. Keys and sessions stop working at once, and the records keep the name. */
  @Delete(':userId')
  @HttpCode(204)
  @Allow({ role: 'Admin' })
  @Refuses('not_found', 'last_owner')
  async disable(@Caller() caller: UserPrincipal, @Param('userId') userId: string): Promise<void> {
    await this.users.disable(caller, userId);
  }
}

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
