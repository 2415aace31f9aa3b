import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import type { Request } from 'express';
import { IsNull, Repository } from 'typeorm';
import { Semaphore } from '../concurrency/concurrency.js';
import { Settings } from '../config/settings.js';
import { TransactionsService } from '../database/transactions.service.js';
import { isFromThisHost } from '../http/https-rule.js';
import { Problem, ValidationFailed } from '../http/problem.js';
import { currentOrigin, JournalService } from '../journal/journal.service.js';
import { TooManyRequests } from '../authentication/authentication.errors.js';
import { PasswordThrottleService } from './password-throttle.service.js';
import type { UserPrincipal } from '../authentication/principal.js';
import { Session, User } from '../authentication/authentication.entities.js';
import type { ChangePasswordRequest } from './session.request.js';

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

/** OWASP's cost for argon2id: 19 MiB, 2 passes, 1 lane (contract §2.6). */
const COST = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The queue is a few seconds' work. Further requests are refused with 429. */
const MOST_WAITING = 200;

/**
 * Hashes at most two passwords at once, because a flood of logins must not take the threads that files and DNS need.
 */
@Injectable()
export class PasswordsService {
  private readonly hashing = new Semaphore(2);

  hash(password: string): Promise<string> {
    return this.atMostTwo(() => hash(password, COST));
  }

  /**
   * Returns whether a password is right, once it is its turn.
   * @param stored the stored hash; null is never right and costs the same, so that unknown users take no less time
   * @param around runs in the same turn and calls the check
   */
  verify(
    stored: string | null,
    password: string,
    around: (check: () => Promise<boolean>) => Promise<boolean>,
  ): Promise<boolean> {
    return this.atMostTwo(() =>
      around(async () => {
        const right = await verify(stored ?? (await decoyHash()), password);
        return right && stored !== null;
      }),
    );
  }

  private async atMostTwo<T>(work: () => Promise<T>): Promise<T> {
    if (this.hashing.waiting >= MOST_WAITING) throw new TooManyRequests(2_000);
    return this.hashing.run(work);
  }
}

let made: Promise<string> | null = null;

/** Returns the hash of a random password, of the same cost as a stored one. */
function decoyHash(): Promise<string> {
  made ??= hash(randomBytes(32), COST);
  return made;
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
