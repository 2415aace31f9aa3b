import { Injectable } from '@nestjs/common';
import { TransactionsService } from '../../database/transactions.service.js';
import { ValidationFailed } from '../../http/problem/problem.js';
import { JournalService } from '../../journal/journal.service.js';
import { currentOrigin } from '../../journal/journal-context.js';
import { PasswordThrottleService } from '../limits/password-throttle.service.js';
import { PasswordsService } from '../passwords.service.js';
import type { UserPrincipal } from '../principal.js';
import { UsersRepository } from '../users/users.repository.js';
import type { ChangePasswordRequest } from './dto/change-password.request.js';
import { SessionsRepository } from './sessions.repository.js';

/** Changes a user's own password. */
@Injectable()
export class OwnPasswordService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsRepository,
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
      if (!(await this.users.changePassword(caller.id, stored, replaced))) throw new WrongPassword();
      await this.sessions.deleteAllOf(caller.id);
      await this.journal.record({ type: 'user.password_changed', subject: { type: 'user', id: caller.id } });
    });
  }

  /**
   * Proves that the caller knows the own password. A user without one has nothing to prove.
   * @throws {ValidationFailed} when `currentPassword` is missing or wrong
   * @throws {TooManyRequests} when there were too many wrong guesses
   */
  async prove(caller: UserPrincipal, currentPassword: string | undefined): Promise<void> {
    if ((await this.users.passwordHashOf(caller.id)) === null) return;
    if (currentPassword === undefined) throw new PasswordNeeded();
    await this.check(caller, currentPassword);
  }

  /** Returns the stored hash of the right password. */
  private async check(caller: UserPrincipal, password: string): Promise<string> {
    const stored = await this.users.passwordHashOf(caller.id);
    const attempt = { account: `own ${caller.id}`, address: currentOrigin()?.from ?? null };
    const right = await this.passwords.verify(stored, password, (check) =>
      this.throttle.guard(attempt, check),
    );
    if (!right || stored === null) throw new WrongPassword();
    return stored;
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
