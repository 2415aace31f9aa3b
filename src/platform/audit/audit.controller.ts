import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Allow } from '../authentication/route-policies-and-agent-itself.js';
import { pageRequest, sendPageHeaders } from '../http/page-and-cursor.query.js';
import { AuditEntryResponse, ListAuditQuery } from './audit.dto.js';
import { AuditRepository } from './audit-filters-and-subjects.repository.js';

const NEWEST_FIRST = '-position';

@ApiTags('Audit')
@Controller('api/audit')
export class AuditController {
  constructor(private readonly journal: AuditRepository) {}

  /** Lists who did what, newest first: every change of state, every login, and every refusal for lack of permission. */
  @Get()
  @Allow({ role: 'Admin' })
  async list(
    @Query() query: ListAuditQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AuditEntryResponse[]> {
    const { limit: _limit, cursor: _cursor, count: _count, ...filter } = query;
    const page = await this.journal.list(filter, pageRequest(query, NEWEST_FIRST));
    sendPageHeaders(request, response, page, NEWEST_FIRST);
    return page.rows.map(AuditEntryResponse.from);
  }
}
