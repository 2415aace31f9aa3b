import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../../http/problem/problem.js';
import { ServiceOrigins } from '../../http/headers/service-origins.js';

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects cross-site request forgery (contract §2.6). A browser sends the cookie with requests of any site, so a request
 * that changes state must come from an allowed page. A key needs no such rule, because a browser never adds one itself.
 */
@Injectable()
export class CsrfRuleService {
  constructor(private readonly origins: ServiceOrigins) {}

  /** @throws {CsrfRejected} when the request changes state and comes from no allowed page */
  enforce(request: Request): void {
    if (SAFE_METHODS.has(request.method)) return;
    if (request.headers['sec-fetch-site'] === 'same-origin') return;
    const { origin } = request.headers;
    if (origin === undefined || !this.origins.includes(origin)) throw new CsrfRejected();
  }
}

class CsrfRejected extends Problem {
  constructor() {
    super(
      'csrf_rejected',
      'A change with a session cookie must come from a page of this service or of DASHBOARD_ORIGINS. ' +
        'Send it from there, or use an API key.',
    );
  }
}
