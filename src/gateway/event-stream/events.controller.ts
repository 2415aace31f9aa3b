import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { AllowAnyone, Caller } from '../../platform/authentication/route-policies-and-agent-itself.js';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { Refuses } from '../../platform/http/route.decorators.js';
import { EventStreamsService } from './event-streams.service.js';
import { EventsQuery } from './events.query.js';

const example = {
  id: '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a11',
  type: 'issue.status_changed',
  at: '2026-11-21T09:30:00.000Z',
  projectId: '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a01',
  actor: { type: 'agent', id: '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a03', name: 'Release notes writer' },
  subject: { type: 'issue', id: '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a09' },
  data: { old: 'Open', new: 'InProgress' },
};

@ApiTags('Events')
@Controller('api/events')
export class EventsController {
  constructor(private readonly streams: EventStreamsService) {}

  /**
   * Sends events live as server-sent events. Each is an object `{id, type, at, projectId, actor, subject, data}`. Users
   * and agents receive the events that they may see at that moment; events about users, keys, logins, refusals and MCP
   * servers go to Admins only. The stream ends when the caller's right ends. Swagger UI shows no stream; follow it with
   * `curl -N -H "Authorization: Bearer $KEY" $URL/api/events`.
   */
  @Get()
  @AllowAnyone()
  @Refuses('events_gone')
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description:
      'The last id that the client received. The stream resumes right after it and misses no event.',
  })
  @ApiOkResponse({
    description: 'The event stream. It has no end of its own; comments keep the connection open.',
    content: {
      'text/event-stream': {
        schema: { type: 'string' },
        example: `id: ${example.id}\ndata: ${JSON.stringify(example)}\n\n`,
      },
    },
  })
  async follow(
    @Caller() caller: Principal,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Query() query: EventsQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    if (request.method === 'HEAD') return void response.type('text/event-stream').end();
    await this.streams.open(caller, lastEventId ?? query.lastEventId, query, response);
  }
}
