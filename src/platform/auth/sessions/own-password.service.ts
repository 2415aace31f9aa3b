import { Injectable } from '@nestjs/common';
import { Transactions } from '../../database/transactions.js';
import { ValidationFailed } from '../../http/problem.js';
import { Journal } from '../../journal/journal.js';
import { currentOrigin } from '../../journal/journal-context.js';
import { PasswordThrottle } from '../limits/password-throttle.js';
import { Passwords } from '../passwords.js';
import type { UserPrincipal } from '../principal.js';
import { UsersRepository } from '../users/users.repository.js';
import type { ChangePasswordRequest } from './dto/change-password.request.js';
import { SessionsRepository } from './sessions.repository.js';

/** A person's own password. */
@Injectable()
export class OwnPasswordService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsRepository,
    private readonly passwords: Passwords,
    private readonly throttle: PasswordThrottle,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /**
   * Changes it and ends every session of the person, the one in use too (spec §2). Wrong guesses are throttled
   * like logins, apart from them: a stolen key must not shut its owner out of signing in.
   * @throws ValidationFailed on `currentPassword`; TooManyRequests
   */
  async change(caller: UserPrincipal, request: ChangePasswordRequest): Promise<void> {
    const stored = await this.users.passwordHashOf(caller.id);
    const attempt = { account: `own ${caller.id}`, address: currentOrigin()?.from ?? null };
    const right = await this.passwords.verify(stored, request.currentPassword, (check) =>
      this.throttle.guard(attempt, check),
    );
    if (!right || stored === null) throw new WrongPassword();
    const hash = await this.passwords.hash(request.newPassword);
    await this.transactions.run(async () => {
      if (!(await this.users.changePassword(caller.id, stored, hash))) throw new WrongPassword();
      await this.sessions.deleteAllOf(caller.id);
      await this.journal.record({ type: 'user.password_changed', subject: { type: 'user', id: caller.id } });
    });
  }
}

class WrongPassword extends ValidationFailed {
  constructor() {
    super([{ path: 'currentPassword', message: 'is not your present password' }]);
  }
}
