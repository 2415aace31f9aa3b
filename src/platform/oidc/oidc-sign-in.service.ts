import { createHmac, randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { Request, Response } from 'express';
import { Raw, Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { hashOfKey } from '../authentication/key-format-and-authentication.service.js';
import { Session } from '../authentication/authentication.entities.js';
import {
  clientNetwork,
  OncePerMinute,
} from '../authentication/request-limits-and-refusal-records.service.js';
import { makeSessionToken } from '../authentication/session-cookie-authentication.service.js';
import { USER_AGENT_LENGTH } from '../authentication/session.repository.js';
import { ChoresWorker } from '../chores/chores.worker.js';
import { TransactionsService } from '../database/transactions.service.js';
import { HttpsRule } from '../http/https-rule-and-proxies.js';
import { textError } from '../http/text-and-instant-rules.js';
import { currentOrigin, JournalService } from '../journal/journal.service.js';
import { CLOCK_TOLERANCE_SECONDS } from './oidc-discovery.client.js';
import { OidcLogoutRepository } from './backchannel-logout.service.js';
import { OidcProviderClient, type Person, type SignInSecrets } from './oidc-provider.client.js';
import { OidcUsersService } from './oidc-users.service.js';
import { OidcLogout, OidcSignIn } from './oidc.entities.js';
import { type SignInReason, SignInRefused } from './sign-in-refusal-reasons.js';

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
function secretsOf(browserSecret: string, state: string): SignInSecrets {
  const derive = (purpose: string) =>
    createHmac('sha256', browserSecret).update(`${purpose} ${state}`).digest('base64url');
  return { state, nonce: derive('nonce'), codeVerifier: derive('verifier') };
}

/** A sign-in on its way ends after this time. */
const SIGN_IN_LIFE = `interval '10 minutes'`;

/** A sign-in that has begun. */
type BegunSignIn = Pick<OidcSignIn, 'returnTo' | 'sessionId' | 'createdAt'>;

/** Reasons that the operator has to do something about. */
const OF_OPERATOR = new Set<SignInReason>(['unavailable', 'misconfigured', 'invalid']);

/**
 * Records refused sign-ins in the audit, and warns the operator of those that concern the provider. One per minute, reason,
 * person and network is recorded, because anybody can repeat one without end.
 */
@Injectable()
export class SignInRecordsService {
  private readonly log = new Logger(SignInRecordsService.name);
  private readonly once = new OncePerMinute();

  constructor(private readonly journal: JournalService) {}

  async refused({ reason, about }: SignInRefused): Promise<void> {
    const network = clientNetwork(currentOrigin()?.from ?? null);
    if (!this.once.first(`${reason} ${String(about['subject'] ?? '')} ${network}`)) return;
    const { error } = about;
    if (OF_OPERATOR.has(reason))
      this.log.warn({
        msg: `A sign-in at the OpenID provider failed (${reason}): check OIDC_ISSUER, the client there, and that the provider is up.`,
        error,
      });
    await this.journal.record({
      type: 'login.failed',
      subject: { type: 'user', id: null },
      data: { method: 'oidc', reason, ...about },
    });
  }
}

/** The browser that comes back from the provider. */
export interface ReturningBrowser {
  query: URLSearchParams;
  /** What `begin` gave it. */
  secret: string | null;
  /** The session that it has. */
  sessionToken: string | null;
  userAgent: string | null;
}

/** Where the browser goes now: with a new session, with the one it had, or to the sign-in page for a reason. */
export type Outcome =
  | { returnTo: string; token: string | null; reason: null }
  | { returnTo: string; reason: SignInReason };

/** Signs people in by the authorization code flow (contract §2.9). */
@Injectable()
export class OidcSignInService {
  constructor(
    private readonly provider: OidcProviderClient,
    @InjectRepository(OidcSignIn) private readonly signIns: Repository<OidcSignIn>,
    private readonly people: OidcUsersService,
    @InjectRepository(OidcLogout) private readonly logouts: OidcLogoutRepository,
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
    private readonly records: SignInRecordsService,
  ) {}

  /**
   * Begins a sign-in and returns the address at the provider.
   * @param sessionId the session that the person is to confirm, or null for a new session
   * @throws {SignInRefused} when the provider gives no usable answer
   */
  async begin(browserSecret: string, returnTo: string, sessionId: string | null): Promise<URL> {
    const state = randomBytes(32).toString('base64url');
    const url = await this.provider.signInUrl(secretsOf(browserSecret, state), sessionId !== null);
    const hashes = { stateHash: hashOfKey(state), browserHash: hashOfKey(browserSecret) };
    await this.signIns.insert({ ...hashes, returnTo, sessionId });
    return url;
  }

  /** Ends a sign-in, whatever the provider or the browser sent. A refusal is recorded. */
  async complete(browser: ReturningBrowser): Promise<Outcome> {
    const state = browser.query.get('state');
    const begun =
      state === null || browser.secret === null
        ? null
        : await this.take(hashOfKey(state), hashOfKey(browser.secret));
    const returnTo = begun?.returnTo ?? '/';
    try {
      if (begun === null) throw new SignInRefused('expired');
      const token = await this.signIn(browser, begun, secretsOf(browser.secret!, state!));
      return { returnTo, token, reason: null };
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      await this.records.refused(error);
      return { returnTo, reason: error.reason };
    }
  }

  /** Takes a sign-in of this browser out. @returns null when it is unknown, too old, used, or of another browser */
  private async take(stateHash: Buffer, browserHash: Buffer): Promise<BegunSignIn | null> {
    const createdAt = Raw((column) => `${column} > now() - ${SIGN_IN_LIFE}`);
    const taken = this.signIns.createQueryBuilder().delete().where({ stateHash, browserHash, createdAt });
    const columns = 'return_to AS "returnTo", session_id AS "sessionId", created_at AS "createdAt"';
    const { raw } = await taken.returning(columns).execute();
    return (raw as BegunSignIn[])[0] ?? null;
  }

  /** Returns the token of a new session, or null when the session that the browser has was confirmed. */
  private async signIn(
    browser: ReturningBrowser,
    begun: BegunSignIn,
    secrets: ReturnType<typeof secretsOf>,
  ): Promise<string | null> {
    const confirms = begun.sessionId !== null;
    const person = await this.provider.person(browser.query, secrets, confirms);
    if (confirms) refuseOldAuthentication(person, begun.createdAt);
    const { issuer, subject } = person;
    try {
      return await this.transactions.run(() =>
        confirms ? this.confirm(person, begun.sessionId!) : this.beginSession(person, browser),
      );
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      throw new SignInRefused(error.reason, { issuer, subject, email: emailOf(person) });
    }
  }

  private async beginSession(person: Person, { sessionToken, userAgent }: ReturningBrowser): Promise<string> {
    await this.logouts.lock('sign-in');
    const user = await this.people.userOf(person);
    const token = makeSessionToken();
    const session = {
      id: uuidv7(),
      hash: hashOfKey(token),
      userId: user.id,
      address: currentOrigin()?.from ?? null,
      userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    };
    if (!(await this.logouts.addSession(session, person))) throw new SignInRefused('expired');
    if (sessionToken !== null) await this.sessions.delete({ hash: hashOfKey(sessionToken) });
    await this.journal.record({
      type: 'login.succeeded',
      subject: { type: 'user', id: user.id },
      actor: { type: 'user', id: user.id, name: user.name },
      data: { method: 'oidc' },
    });
    return token;
  }

  /** The person must be the user of the session: otherwise a colleague could confirm for the holder of a stolen one. */
  private async confirm(person: Person, sessionId: string): Promise<null> {
    const user = await this.people.userOf(person);
    const session = { id: sessionId, userId: user.id };
    const { affected } = await this.sessions.update(session, { confirmedAt: () => 'now()' });
    if (affected !== 1) throw new SignInRefused('other_person');
    await this.journal.record({
      type: 'login.confirmed',
      subject: { type: 'user', id: user.id },
      actor: { type: 'user', id: user.id, name: user.name },
      data: { method: 'oidc' },
    });
    return null;
  }
}

/** The address for the audit, whatever the provider sent in its place. */
function emailOf({ claims: { email } }: Person): string | null {
  return typeof email === 'string' && email.length <= 254 && textError(email) === null ? email : null;
}

/** @throws {SignInRefused} when the person has not entered credentials since the confirmation was asked for */
function refuseOldAuthentication({ authTime, subject }: Person, startedAt: Date): void {
  const earliest = startedAt.getTime() / 1_000 - CLOCK_TOLERANCE_SECONDS;
  if (authTime === null || authTime < earliest) throw new SignInRefused('not_confirmed', { subject });
}

const MINUTE = 60;
const HOUR = 3_600;
const BATCH = 5_000;

/** Removes unfinished sign-ins and used logout tokens. Nothing depends on when that happens. */
@Injectable()
export class OidcChoresWorker {
  constructor(
    chores: ChoresWorker,
    @InjectRepository(OidcSignIn) private readonly signIns: Repository<OidcSignIn>,
    @InjectRepository(OidcLogout) logouts: OidcLogoutRepository,
  ) {
    chores.add({ name: 'unfinished sign-ins', everySeconds: MINUTE, run: () => this.sweepSignIns() });
    chores.add({ name: 'used logout tokens', everySeconds: HOUR, run: () => logouts.sweep() });
  }

  /** SQL: a bounded deletion. */
  private async sweepSignIns(): Promise<number> {
    const old = `SELECT state_hash FROM oidc_sign_ins WHERE created_at <= now() - ${SIGN_IN_LIFE} LIMIT ${BATCH}`;
    const [, removed] = await this.signIns.query<[unknown, number]>(
      `DELETE FROM oidc_sign_ins WHERE state_hash = ANY(ARRAY(${old}))`,
    );
    return removed;
  }
}
