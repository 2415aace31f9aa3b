import { createHmac, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { HttpsRule } from '../http/https-rule.js';
import type { SignInSecrets } from './oidc-provider.client.js';

const COOKIE = 'awp_oidc';
const LIFE_SECONDS = 600;

/** Binds a sign-in to the browser that began it: the callback is worth nothing without this cookie (contract §2.9). */
@Injectable()
export class OidcCookieService {
  constructor(private readonly https: HttpsRule) {}

  /** Gives the browser a new secret and returns it. A secret that the browser brings could be somebody else's. */
  begin(request: Request, response: Response): string {
    const value = randomBytes(32).toString('base64url');
    this.append(request, response, { value, maxAge: LIFE_SECONDS });
    return value;
  }

  secretIn(request: Request): string | null {
    const { cookie } = request.headers;
    return cookie === undefined ? null : (parseCookie(cookie)[this.nameFor(request)] ?? null);
  }

  clear(request: Request, response: Response): void {
    this.append(request, response, { value: '', maxAge: 0 });
  }

  private append(request: Request, response: Response, content: { value: string; maxAge: number }): void {
    const rules = { httpOnly: true, sameSite: 'lax', path: '/', secure: this.https.isTls(request) } as const;
    response.append('Set-Cookie', stringifySetCookie({ name: this.nameFor(request), ...content, ...rules }));
  }

  private nameFor(request: Request): string {
    return this.https.isTls(request) ? `__Host-${COOKIE}` : COOKIE;
  }
}

/** Derives the secrets of one sign-in from the browser's, so that the database holds none of them. */
export function secretsOf(browserSecret: string, state: string): SignInSecrets {
  const derive = (purpose: string) =>
    createHmac('sha256', browserSecret).update(`${purpose} ${state}`).digest('base64url');
  return { state, nonce: derive('nonce'), codeVerifier: derive('verifier') };
}
