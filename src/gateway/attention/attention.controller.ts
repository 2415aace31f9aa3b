import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allow, Caller } from '../../platform/authentication/policy.js';
import type { UserPrincipal } from '../../platform/authentication/principal.js';
import { sendPageHeaders } from '../../platform/http/page-and-cursor.query.js';
import { BY_BLOCKED } from './attention-kinds.js';
import { AttentionQuery, AttentionResponse } from './attention.dto.js';
import { AttentionService } from './attention.service.js';

@ApiTags('Attention')
@Controller('api/attention')
export class AttentionController {
  constructor(private readonly attention: AttentionService) {}

  /** Returns what needs a person, one item per cause, what holds up most issues first. */
  @Get()
  @Allow({ role: 'Viewer' })
  async list(
    @Caller() caller: UserPrincipal,
    @Query() query: AttentionQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AttentionResponse> {
    const { page, counts } = await this.attention.list(caller, query);
    sendPageHeaders(request, response, page, BY_BLOCKED);
    return AttentionResponse.from(page.rows, counts, caller);
  }
}
