import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { JWTPayload } from 'jose';
import { In, Repository } from 'typeorm';
import { Session } from '../authentication/authentication.entities.js';
import { Settings } from '../config/settings.js';
import { TransactionsService } from '../database/transactions.service.js';
import { Problem } from '../http/problem.js';
import { JournalService } from '../journal/journal.service.js';
import { OidcDiscoveryClient } from './oidc-discovery.client.js';
import { type Logout, OidcLogoutRepository } from './oidc-session-and-logout.repository.js';
import { verifiedClaims } from './oidc-provider.client.js';
import { OidcLogout } from './oidc.entities.js';
import { refusalOf } from './sign-in-refusal-reasons.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const MOST_CHARACTERS = 255;

/**
 * The oldest `iat` that is accepted, in seconds. A provider sends the token at once. Its id is remembered for longer than
 * this, so that none is accepted twice.
 */
export const LOGOUT_TOKEN_MAX_AGE_SECONDS = 300;

/** What a logout token says, once its signature, issuer, audience and times are right. */
export interface LogoutClaims {
  tokenId: string;
  subject: string | null;
  sid: string | null;
  issuedAt: number;
}

/**
 * Checks the rules that logout tokens have beside those of all tokens (OpenID Connect Back-Channel Logout 1.0): the event,
 * an id, a subject or a session, and no nonce, with which it would be an ID token.
 * @returns null when one is broken
 */
export function logoutClaimsIn(claims: JWTPayload): LogoutClaims | null {
  const { events, jti, iat, sub, sid } = claims;
  if (!isObject(events) || !Object.hasOwn(events, EVENT) || !isObject(events[EVENT])) return null;
  if ('nonce' in claims) return null;
  const [subject, session] = [textOrNull(sub), textOrNull(sid)];
  if (subject === undefined || session === undefined || (subject === null && session === null)) return null;
  const tokenId = textOrNull(jti);
  if (!tokenId || typeof iat !== 'number') return null;
  return { tokenId, subject, sid: session, issuedAt: iat };
}

/** Returns null for an absent claim, and undefined for one of another form. */
function textOrNull(value: unknown): string | null | undefined {
  if (value === undefined) return null;
  if (typeof value !== 'string' || value === '' || value.length > MOST_CHARACTERS) return undefined;
  return value.includes('\0') ? undefined : value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Ends sessions when the provider says that a person has signed out there (contract §2.9). */
@Injectable()
export class BackchannelLogoutService {
  private readonly log = new Logger(BackchannelLogoutService.name);

  constructor(
    private readonly settings: Settings,
    private readonly discovery: OidcDiscoveryClient,
    @InjectRepository(OidcLogout) private readonly logouts: OidcLogoutRepository,
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** @throws {InvalidLogoutToken} when the token is not a valid one of the provider for this service, or was used */
  async logout(token: string): Promise<void> {
    const logout = await this.logoutOf(token);
    await this.transactions.run(async () => {
      // A sign-in on its way then either has its session already, or sees this logout.
      await this.logouts.lock('logout');
      const users = await this.logouts.usersOf(logout);
      if (!(await this.logouts.add(logout))) throw new InvalidLogoutToken();
      for (const { id, userId } of await this.end(logout, users))
        await this.journal.record({
          type: 'login.ended',
          subject: { type: 'user', id: userId },
          data: { sessionId: id, by: 'oidc' },
        });
    });
  }

  /** Ends the session that a logout names, or all sessions of these users at the provider where it names none. */
  private async end({ issuer, sid }: Logout, users: string[]): Promise<Pick<Session, 'id' | 'userId'>[]> {
    const named = sid === null ? {} : { oidcSid: sid };
    const ended = this.sessions.createQueryBuilder().delete();
    ended.where({ userId: In(users), oidcIssuer: issuer, ...named });
    const { raw } = await ended.returning('id, user_id AS "userId"').execute();
    return raw as Pick<Session, 'id' | 'userId'>[];
  }

  private async logoutOf(token: string): Promise<Logout> {
    const { oidc } = this.settings;
    if (oidc === null) throw new InvalidLogoutToken();
    try {
      const provider = await this.discovery.provider();
      const rules = { audience: oidc.clientId, maxAge: LOGOUT_TOKEN_MAX_AGE_SECONDS, trusted: false };
      const claims = logoutClaimsIn(await verifiedClaims(token, provider, rules));
      if (claims !== null) return { ...claims, issuer: provider.issuer };
    } catch (error) {
      const { reason, about } = refusalOf(error);
      this.log.warn({ msg: `A logout token was refused (${reason}).`, error: about['error'] });
      if (reason === 'unavailable')
        throw new Problem(
          'unavailable',
          'The OpenID provider gives no answer. Send the logout token again later.',
          {
            headers: { 'Retry-After': '10' },
          },
        );
    }
    throw new InvalidLogoutToken();
  }
}

/** 400, without a word about what is wrong: the sender may be anybody. */
class InvalidLogoutToken extends Problem {
  constructor() {
    super(
      'invalid_logout_token',
      'This is not a valid logout token of the OpenID provider, or it was used before.',
    );
  }
}
