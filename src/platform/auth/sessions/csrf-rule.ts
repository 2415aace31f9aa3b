import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Problem } from '../../http/problem.js';
import { ServiceOrigins } from '../../http/service-origins.js';

const READING = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * A browser sends the cookie whoever made it send the request, so what changes something must come from a page
 * that may (spec §2). A key proves that by itself: no browser adds one unasked.
 */
@Injectable()
export class CsrfRule {
  constructor(private readonly origins: ServiceOrigins) {}

  /** @throws Problem csrf_rejected */
  enforce(request: Request): void {
    if (READING.has(request.method)) return;
    if (request.headers['sec-fetch-site'] === 'same-origin') return;
    const { origin } = request.headers;
    if (origin === undefined || !this.origins.includes(origin)) throw new CsrfRejected();
  }
}

class CsrfRejected extends Problem {
  constructor() {
    super(
      'csrf_rejected',
      'A change made with a session cookie must come from a page of this service or of DASHBOARD_ORIGINS; ' +
        'send it from there, or use an API key.',
    );
  }
}
