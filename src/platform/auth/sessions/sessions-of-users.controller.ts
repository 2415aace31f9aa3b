import { Controller, Delete, Get, HttpCode, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { pageRequest, sendPageHeaders } from '../../http/pages/page.js';
import { PageQuery } from '../../http/pages/page.query.js';
import { Refuses } from '../../http/problem/refuses.decorator.js';
import { Caller } from '../caller.decorator.js';
import { Allow } from '../policy.js';
import type { UserPrincipal } from '../principal.js';
import { SessionResponse } from './dto/session.response.js';
import { UserSessionsService } from './user-sessions.service.js';

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
