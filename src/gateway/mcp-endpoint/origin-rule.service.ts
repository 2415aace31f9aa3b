import { Injectable } from '@nestjs/common';
import { Forbidden } from '../../platform/auth/auth.errors.js';
import { ServiceOrigins } from '../../platform/http/headers/service-origins.js';

/**
 * Prevents foreign web pages from using the endpoint through a browser, DNS rebinding included (contract §7). MCP
 * clients outside a browser send no `Origin`.
 */
@Injectable()
export class OriginRuleService {
  constructor(private readonly origins: ServiceOrigins) {}

  /** @throws {Forbidden} for an `Origin` that is neither the service's own nor one of DASHBOARD_ORIGINS */
  enforce(origin: string | undefined): void {
    if (origin === undefined || this.origins.includes(origin)) return;
    throw new Forbidden(
      'This Origin may not use the MCP endpoint; an operator can name it in DASHBOARD_ORIGINS.',
    );
  }
}
