import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { HttpsRule } from '../../http/https-rule.js';

/** Its name over plain HTTP; over HTTPS `__Host-` stands before it, so that no neighbouring host can set it. */
export const SESSION_COOKIE = 'awp_session';

/** The cookie that proves a session (spec §2). It is read under one name only: the one that fits the connection. */
@Injectable()
export class SessionCookie {
  constructor(private readonly https: HttpsRule) {}

  /** What the browser sent, or null. */
  tokenIn(request: Request): string | null {
    const { cookie } = request.headers;
    return cookie === undefined ? null : (parseCookie(cookie)[this.nameFor(request)] ?? null);
  }

  give(request: Request, response: Response, token: string): void {
    this.set(request, response, { value: token });
  }

  /** Tells the browser to forget it. */
  take(request: Request, response: Response): void {
    this.set(request, response, { value: '', maxAge: 0 });
  }

  private set(request: Request, response: Response, content: { value: string; maxAge?: number }): void {
    const rules = { httpOnly: true, sameSite: 'lax', path: '/', secure: this.https.isTls(request) } as const;
    response.append('Set-Cookie', stringifySetCookie({ name: this.nameFor(request), ...content, ...rules }));
  }

  private nameFor(request: Request): string {
    return this.https.isTls(request) ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE;
  }
}

/** A new token of 256 bits, in characters that a cookie takes as they are. */
export function makeSessionToken(): string {
  return randomBytes(32).toString('base64url');
}
