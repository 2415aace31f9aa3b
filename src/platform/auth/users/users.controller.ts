import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { MayCarrySecret } from '../../http/routes/carries-secret.decorator.js';
import { pageRequest, sendPageHeaders } from '../../http/pages/page.js';
import { PageQuery } from '../../http/pages/page.query.js';
import { Refuses } from '../../http/problem/refuses.decorator.js';
import { Caller } from '../caller.decorator.js';
import { Allow } from '../policy.js';
import type { UserPrincipal } from '../principal.js';
import { CreateUserRequest } from './dto/create-user.request.js';
import { UpdateUserRequest } from './dto/update-user.request.js';
import { UserResponse } from './dto/user.response.js';
import { UsersService } from './users.service.js';

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
