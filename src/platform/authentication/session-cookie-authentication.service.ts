import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { HttpsRule } from '../http/https-rule-and-proxies.js';
import type { ServiceOrigins } from '../http/origins-and-redirects.js';
import { Problem } from '../http/problem.js';
import { hashOfKey } from './key-format-and-authentication.service.js';
import { Unauthenticated } from './authentication.errors.js';
import type { UserPrincipal } from './principals-and-roles.js';
import { Session } from './authentication.entities.js';
import { LastUses, SessionRepository } from './session.repository.js';

/**
 * The cookie's name over plain HTTP. Over HTTPS it gets the prefix `__Host-`, so that no neighbouring host can set it.
 */
export const SESSION_COOKIE = 'awp_session';

/** Reads and writes the session cookie (contract §2.6). It is read only under the name that fits the connection. */
@Injectable()
export class SessionCookieService {
  constructor(private readonly https: HttpsRule) {}

  /** Returns the token that the browser sent, or null. */
  tokenIn(request: Request): string | null {
    const { cookie } = request.headers;
    return cookie === undefined ? null : (parseCookie(cookie)[this.nameFor(request)] ?? null);
  }

  set(request: Request, response: Response, token: string): void {
    this.append(request, response, { value: token });
  }

  /** Makes the browser delete the cookie. */
  clear(request: Request, response: Response): void {
    this.append(request, response, { value: '', maxAge: 0 });
  }

  private append(request: Request, response: Response, content: { value: string; maxAge?: number }): void {
    const rules = { httpOnly: true, sameSite: 'lax', path: '/', secure: this.https.isTls(request) } as const;
    response.append('Set-Cookie', stringifySetCookie({ name: this.nameFor(request), ...content, ...rules }));
  }

  private nameFor(request: Request): string {
    return this.https.isTls(request) ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE;
  }
}

/** Returns a new token of 256 bits in characters that need no escape in a cookie. */
export function makeSessionToken(): string {
  return randomBytes(32).toString('base64url');
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Rejects cross-site request forgery (contract §2.6). A browser sends the cookie with requests of any site, so a request
 * that changes state must come from an allowed page. A key needs no such rule, because a browser never adds one itself.
 * @throws {CsrfRejected} when the request changes state and comes from no allowed page
 */
export function refuseForeignPages(origins: ServiceOrigins, request: Request): void {
  if (SAFE_METHODS.has(request.method)) return;
  if (request.headers['sec-fetch-site'] === 'same-origin') return;
  const { origin } = request.headers;
  if (origin === undefined || !origins.includes(origin)) throw new CsrfRejected();
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

/** Authenticates users by their session. */
@Injectable()
export class SessionAuthenticationService {
  private readonly lastUses = new LastUses((id) => this.sessions.touch(id));

  constructor(@InjectRepository(Session) private readonly sessions: SessionRepository) {}

  /** @throws {Unauthenticated} when the session is unknown, ended, expired, or of a disabled user */
  async principalOf(token: string): Promise<UserPrincipal> {
    const found = await this.sessions.findByHash(hashOfKey(token));
    if (!found) throw new Unauthenticated();
    if (found.last_use_is_stale) await this.lastUses.record(found.session_id);
    return {
      type: 'user',
      id: found.user_id,
      name: found.user_name,
      email: found.user_email,
      role: found.user_role,
      roleCap: null,
      keyId: null,
      sessionId: found.session_id,
      signedInWith: found.signed_in_with,
      elevated: false,
      keyExpiresAt: null,
    };
  }
}
