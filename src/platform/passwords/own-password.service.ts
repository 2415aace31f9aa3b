import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { Session, User } from '../authentication/authentication.entities.js';
import type { UserPrincipal } from '../authentication/principals-and-roles.js';
import { TransactionsService } from '../database/transactions.service.js';
import { ValidationFailed } from '../http/problem.js';
import { currentOrigin, JournalService } from '../journal/journal.service.js';
import { PasswordThrottleService } from './password-throttle.service.js';
import { PasswordsService } from './passwords.service.js';
import type { ChangePasswordRequest } from './session.request.js';

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
