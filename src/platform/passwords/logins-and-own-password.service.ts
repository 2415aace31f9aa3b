import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request } from 'express';
import { v7 as uuidv7 } from 'uuid';
import { IsNull, Repository } from 'typeorm';
import { TransactionsService } from '../database/transactions.service.js';
import { type Actor, currentOrigin, JournalService } from '../journal/journal.service.js';
import { hashOfKey } from '../authentication/key-format-and-authentication.service.js';
import { TooManyRequests, Unauthenticated } from '../authentication/authentication.errors.js';
import {
  clientNetwork,
  OncePerMinute,
} from '../authentication/request-limits-and-refusal-records.service.js';
import { makeSessionToken } from '../authentication/session-cookie-authentication.service.js';
import { Session, User } from '../authentication/authentication.entities.js';
import { SessionRepository, USER_AGENT_LENGTH } from '../authentication/session.repository.js';
import { UserRepository, type UserRow } from '../authentication/user.repository.js';
import { Settings } from '../config/settings.js';
import { isFromThisHost } from '../http/https-rule-and-proxies.js';
import { Problem, ValidationFailed } from '../http/problem.js';
import type { UserPrincipal } from '../authentication/principals-and-roles.js';
import type { ChangePasswordRequest } from '../authentication/user-session-and-password.dto.js';
import { PasswordsService, PasswordThrottleService } from './password-hashes-and-throttle.service.js';

/** The credentials of a login, and what the browser says: the session that it had before, and what it is. */
export interface Credentials {
  email: string;
  password: string;
  formerToken: string | null;
  userAgent: string | null;
}

/**
 * Signs users in and out (contract §2.6). Of the throttled logins, and of those with an address that no user has, one per
 * minute and network is recorded.
 */
@Injectable()
export class LoginsService {
  private readonly once = new OncePerMinute();

  constructor(
    @InjectRepository(User) private readonly users: UserRepository,
    @InjectRepository(Session) private readonly sessions: SessionRepository,
    private readonly passwords: PasswordsService,
    private readonly throttle: PasswordThrottleService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /**
   * Begins a session when the password is right, and ends the one that the browser had before.
   * @throws {Unauthenticated} when the user is unknown or the password is wrong, with the same message at the same cost
   * @throws {TooManyRequests} when there were too many failures, or too many logins wait
   */
  async login(credentials: Credentials): Promise<{ user: UserRow; token: string }> {
    const { email, password } = credentials;
    const user = await this.users.findForLogin(email);
    const stored = user && !user.disabledAt ? user.passwordHash : null;
    const attempt = { account: user?.id ?? email.toLowerCase(), address: currentOrigin()?.from ?? null };
    const right = await this.passwords
      .verify(stored, password, (check) => this.throttle.guard(attempt, check))
      .catch(async (error: unknown) => {
        if (error instanceof TooManyRequests && this.once.first(clientNetwork(attempt.address)))
          await this.recordFailure(user, { email, throttled: true });
        throw error;
      });
    const token = right && user && stored ? await this.begin(user, stored, credentials) : null;
    if (user && token) return { user, token };
    // Addresses that no user has can be made up without end, and the journal keeps each row.
    if (user || this.once.first(`unknown ${clientNetwork(attempt.address)}`))
      await this.recordFailure(user, { email });
    throw new WrongCredentials();
  }

  async logout(actor: Actor, sessionId: string): Promise<void> {
    await this.transactions.run(async () => {
      const { affected } = await this.sessions.delete({ id: sessionId });
      if (affected !== 1) throw new Unauthenticated();
      await this.journal.record({ type: 'login.ended', subject: { type: 'user', id: actor.id } });
    });
  }

  /** Returns null when the user was disabled or the password was changed in the meantime. */
  private async begin(
    user: UserRow,
    passwordHash: string,
    { formerToken, userAgent }: Credentials,
  ): Promise<string | null> {
    const token = makeSessionToken();
    const session = {
      id: uuidv7(),
      hash: hashOfKey(token),
      userId: user.id,
      address: currentOrigin()?.from ?? null,
      userAgent: userAgent?.slice(0, USER_AGENT_LENGTH) ?? null,
    };
    return this.transactions.run(async () => {
      if (!(await this.sessions.add(session, passwordHash))) return null;
      if (formerToken !== null) await this.sessions.delete({ hash: hashOfKey(formerToken) });
      await this.journal.record({
        type: 'login.succeeded',
        subject: { type: 'user', id: user.id },
        actor: { type: 'user', id: user.id, name: user.name },
      });
      return token;
    });
  }

  private async recordFailure(user: UserRow | null, data: Record<string, unknown>): Promise<void> {
    await this.journal.record({
      type: 'login.failed',
      subject: { type: 'user', id: user?.id ?? null },
      data,
    });
  }
}

class WrongCredentials extends Unauthenticated {
  constructor() {
    super('The e-mail address or the password is wrong.');
  }
}

/**
 * Decides where passwords sign in (contract §2.9). With PASSWORD_LOGIN=off only a program on this host may try, and only
 * the password of the first Owner is right there, so that an operator gets in when the OpenID provider does not.
 */
@Injectable()
export class PasswordRuleService {
  constructor(private readonly settings: Settings) {}

  accepts(request: Request): boolean {
    return this.settings.passwordLogin || isFromThisHost(request);
  }

  /** @throws {PasswordLoginOff} before anything is compared, so that the refusal says nothing about users */
  enforce(request: Request): void {
    if (!this.accepts(request)) throw new PasswordLoginOff();
  }
}

class PasswordLoginOff extends Problem {
  constructor() {
    super('password_login_off', 'Passwords are turned off here. Sign in at GET /api/auth/oidc/login.');
  }
}

/** Changes a user's own password. */
@Injectable()
export class OwnPasswordService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly passwords: PasswordsService,
    private readonly throttle: PasswordThrottleService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /**
   * Changes the password and ends every session of the user, including the one in use (contract §2.6). Wrong guesses are
   * throttled like logins but counted apart, because a stolen key must not keep its owner from signing in.
   * @throws {ValidationFailed} when `currentPassword` is wrong
   * @throws {TooManyRequests} when there were too many wrong guesses
   */
  async change(caller: UserPrincipal, request: ChangePasswordRequest): Promise<void> {
    const stored = await this.check(caller, request.currentPassword);
    const replaced = await this.passwords.hash(request.newPassword);
    await this.transactions.run(async () => {
      // It may have changed since it was read.
      const { affected } = await this.users.update(
        { id: caller.id, passwordHash: stored, disabledAt: IsNull() },
        { passwordHash: replaced, updatedAt: () => 'now()' },
      );
      if (affected !== 1) throw new WrongPassword();
      await this.sessions.delete({ userId: caller.id });
      await this.journal.record({ type: 'user.password_changed', subject: { type: 'user', id: caller.id } });
    });
  }

  /**
   * Proves that the caller knows the own password. A user without one has nothing to prove.
   * @throws {ValidationFailed} when `currentPassword` is missing or wrong
   * @throws {TooManyRequests} when there were too many wrong guesses
   */
  async prove(caller: UserPrincipal, currentPassword: string | undefined): Promise<void> {
    if ((await this.hashOf(caller)) === null) return;
    if (currentPassword === undefined) throw new PasswordNeeded();
    await this.check(caller, currentPassword);
  }

  /** Returns the stored hash of the right password. */
  private async check(caller: UserPrincipal, password: string): Promise<string> {
    const stored = await this.hashOf(caller);
    const attempt = { account: `own ${caller.id}`, address: currentOrigin()?.from ?? null };
    const right = await this.passwords.verify(stored, password, (check) =>
      this.throttle.guard(attempt, check),
    );
    if (!right || stored === null) throw new WrongPassword();
    return stored;
  }

  /** Returns null when the user has no password. */
  private async hashOf({ id }: UserPrincipal): Promise<string | null> {
    const user = await this.users.findOne({ select: { passwordHash: true }, where: { id } });
    return user?.passwordHash ?? null;
  }
}

class PasswordNeeded extends ValidationFailed {
  constructor() {
    super([{ path: 'currentPassword', message: 'is needed for a new e-mail address' }]);
  }
}

class WrongPassword extends ValidationFailed {
  constructor() {
    super([{ path: 'currentPassword', message: 'is not your current password' }]);
  }
}
