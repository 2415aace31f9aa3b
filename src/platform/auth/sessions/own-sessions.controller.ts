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
