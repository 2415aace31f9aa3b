import { Body, Controller, Get, Put, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allow, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { UserPrincipal } from '../../platform/authentication/principals-and-roles.js';
import { sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { BY_BLOCKED } from './attention-kinds.js';
import { AttentionQuery, SnoozeRequest } from './attention.request.js';
import { AttentionResponse, SnoozeResponse } from './attention.response.js';
import { AttentionService } from './attention.service.js';
import { SnoozesService } from './snoozes.service.js';

@ApiTags('Attention')
@Controller('api/attention')
export class AttentionController {
  constructor(
    private readonly attention: AttentionService,
    private readonly snoozes: SnoozesService,
  ) {}

  /** Returns what needs a person, one item per cause, what holds up most issues first. */
  @Get()
  @Allow({ role: 'Viewer' })
  async list(
    @Caller() caller: UserPrincipal,
    @Query() query: AttentionQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AttentionResponse> {
    const { page, ...all } = await this.attention.list(caller, query);
    sendPageHeaders(request, response, page, BY_BLOCKED);
    return AttentionResponse.from(page.rows, all, caller);
  }

  /** Puts items off for the caller until a time, or wakes them. They come back earlier where their cause grows worse. */
  @Put('snoozes')
  @Allow({ role: 'Viewer' })
  @Refuses('snooze_limit')
  async snooze(@Caller() caller: UserPrincipal, @Body() body: SnoozeRequest): Promise<SnoozeResponse> {
    return this.snoozes.put(caller, body.items, body.until);
  }
}
