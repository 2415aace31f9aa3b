import { Controller, Header, HttpCode, Post, Req } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Public } from '../authentication/policy.js';
import { OidcRateService } from '../authentication/request-limits.service.js';
import { Problem } from '../http/problem.js';
import { readBody } from '../http/request-body.js';
import { ReadsOwnBody, Refuses, RefusesIdempotencyKey } from '../http/route.decorators.js';
import { BackchannelLogoutService } from './backchannel-logout.service.js';

const FORM = 'application/x-www-form-urlencoded';
const MOST_BYTES = 32_768;

/** Receives the logouts of the OpenID provider. */
@ApiTags('Sessions')
@Controller('api/auth/oidc/backchannel-logout')
export class BackchannelLogoutController {
  constructor(
    private readonly logouts: BackchannelLogoutService,
    private readonly rate: OidcRateService,
  ) {}

  /** Ends the sessions that a logout token of the OpenID provider names. */
  @Post()
  @Public()
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @RefusesIdempotencyKey()
  @ReadsOwnBody()
  @ApiConsumes(FORM)
  @ApiBody({
    schema: {
      type: 'object',
      required: ['logout_token'],
      properties: { logout_token: { type: 'string', example: 'eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJ…' } },
    },
  })
  @Refuses('invalid_logout_token')
  async logout(@Req() request: Request): Promise<void> {
    await this.rate.count();
    const [type] = (request.headers['content-type'] ?? '').split(';', 1);
    if (type?.trim().toLowerCase() !== FORM)
      throw new Problem('unsupported_media_type', `Send the logout token as ${FORM}.`);
    const body = await readBody(request, { limit: MOST_BYTES, drain: MOST_BYTES * 4, hold: () => undefined });
    if (body === null)
      throw new Problem('payload_too_large', `A logout token may have at most ${MOST_BYTES} bytes.`, {
        headers: { Connection: 'close' },
      });
    await this.logouts.logout(new URLSearchParams(body.toString('latin1')).get('logout_token') ?? '');
  }
}
