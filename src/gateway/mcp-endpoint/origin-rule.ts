import { Injectable } from '@nestjs/common';
import { Forbidden } from '../../platform/auth/auth.errors.js';
import { ServiceOrigins } from '../../platform/http/service-origins.js';

/**
 * Keeps web pages of others from speaking to the endpoint with a browser's help, DNS rebinding included
 * (spec §7). MCP clients that are no browsers send no `Origin`.
 */
@Injectable()
export class OriginRule {
  constructor(private readonly origins: ServiceOrigins) {}

  /** @throws {Forbidden} for an `Origin` that is neither the service's own nor one of DASHBOARD_ORIGINS */
  enforce(origin: string | undefined): void {
    if (origin === undefined || this.origins.includes(origin)) return;
    throw new Forbidden(
      'This Origin may not use the MCP endpoint; an operator can name it in DASHBOARD_ORIGINS.',
    );
  }
}
