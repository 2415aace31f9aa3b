import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Transactions } from '../../database/transactions.js';
import { Journal } from '../../journal/journal.js';
import { currentOrigin, type Actor } from '../../journal/journal-context.js';
import { TooManyRequests, Unauthenticated } from '../auth.errors.js';
import { hashOfKey } from '../keys/api-key-format.js';
import { OnceAMinute } from '../limits/once-a-minute.js';
import { PasswordThrottle } from '../limits/password-throttle.js';
import { Passwords } from '../passwords.js';
import type { UserEntity } from '../users/user.entity.js';
import { UsersRepository } from '../users/users.repository.js';
import { makeSessionToken } from './session-cookie.js';
import { SessionsRepository } from './sessions.repository.js';

/** What somebody gave to sign in, and the session that their browser had before. */
export interface Credentials {
  email: string;
  password: string;
  formerToken: string | null;
}

/** Signing in and out (spec §2). Of those who are told to wait one a minute and address is written down. */
@Injectable()
export class LoginsService {
  private readonly once = new OnceAMinute();

  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsRepository,
    private readonly passwords: Passwords,
    private readonly throttle: PasswordThrottle,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /**
   * A new session for whoever knows the password; the one that the browser had ends.
   * @throws {Unauthenticated} the same, at the same cost, for an unknown user and a wrong password
   * @throws {TooManyRequests}
   */
  async login({ email, password, formerToken }: Credentials): Promise<{ user: UserEntity; token: string }> {
    const user = await this.users.findForLogin(email);
    const stored = user && !user.disabledAt ? user.passwordHash : null;
    const attempt = { account: user?.id ?? email.toLowerCase(), address: currentOrigin()?.from ?? null };
    const right = await this.passwords
      .verify(stored, password, (check) => this.throttle.guard(attempt, check))
      .catch(async (fault: unknown) => {
        if (fault instanceof TooManyRequests && this.once.first(attempt.address ?? ''))
          await this.tellFailed(user, { email, throttled: true });
        throw fault;
      });
    const token = right && user && stored ? await this.begin(user, stored, formerToken) : null;
    if (user && token) return { user, token };
    await this.tellFailed(user, { email });
    throw new WrongCredentials();
  }

  async logout(actor: Actor, sessionId: string): Promise<void> {
    await this.transactions.run(async () => {
      if (!(await this.sessions.delete(sessionId))) throw new Unauthenticated();
      await this.journal.record({ type: 'login.ended', subject: { type: 'user', id: actor.id } });
    });
  }

  /** @returns null where the user was disabled or got another password just now */
  private async begin(user: UserEntity, passwordHash: string, former: string | null): Promise<string | null> {
    const token = makeSessionToken();
    return this.transactions.run(async () => {
      if (!(await this.sessions.insert(uuidv7(), hashOfKey(token), user.id, passwordHash))) return null;
      if (former !== null) await this.sessions.deleteByHash(hashOfKey(former));
      await this.journal.record({
        type: 'login.succeeded',
        subject: { type: 'user', id: user.id },
        actor: { type: 'user', id: user.id, name: user.name },
      });
      return token;
    });
  }

  private async tellFailed(user: UserEntity | null, data: Record<string, unknown>): Promise<void> {
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
