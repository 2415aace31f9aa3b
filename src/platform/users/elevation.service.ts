import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import {
  hashOfKey,
  makeApiKey,
  PREFIX_LENGTH,
} from '../authentication/key-format-and-authentication.service.js';
import { ApiKey, User } from '../authentication/authentication.entities.js';
import { ApiKeyRepository, type NewElevatedKey } from '../authentication/api-key.repository.js';
import { Unauthenticated } from '../authentication/authentication.errors.js';
import {
  PasswordsService,
  PasswordThrottleService,
} from '../passwords/password-hashes-and-throttle.service.js';
import type { UserPrincipal } from '../authentication/principals-and-roles.js';
import { UserRepository } from '../authentication/user.repository.js';
import { TransactionsService } from '../database/transactions.service.js';
import { Problem } from '../http/problem.js';
import { currentOrigin, JournalService } from '../journal/journal.service.js';

const NAME = 'elevated mode';

/** An elevated key ends after this time, and with its session. */
const LONGEST_SECONDS = 15 * 60;

/** An elevated key, shown once. */
export interface ElevatedKey {
  key: string;
  expiresAt: Date;
}

/** Begins and ends elevated mode: a short-lived key of a session that opens `/api/mcp` only (contract §2.6). */
@Injectable()
export class ElevationService {
  constructor(
    @InjectRepository(User) private readonly users: UserRepository,
    @InjectRepository(ApiKey) private readonly keys: ApiKeyRepository,
    private readonly passwords: PasswordsService,
    private readonly throttle: PasswordThrottleService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /**
   * Makes an elevated key of the caller's session when the password is right. Wrong guesses share the limit of guesses at
   * the own password, because a stolen session must not keep its owner from signing in.
   * @throws {WrongPassword} when the password is wrong or the user has none
   * @throws {Unauthenticated} when the session ended in the meantime
   * @throws {TooManyRequests} when there were too many wrong guesses
   */
  async elevate(caller: UserPrincipal, sessionId: string, password: string): Promise<ElevatedKey> {
    const stored = await this.users.signInHashOf(caller.id);
    const attempt = { account: `own ${caller.id}`, address: currentOrigin()?.from ?? null };
    const right = await this.passwords.verify(stored, password, (check) =>
      this.throttle.guard(attempt, check),
    );
    if (right && stored !== null) {
      const made = await this.make(caller, sessionId, (key) =>
        this.keys.addElevated(key, stored, LONGEST_SECONDS),
      );
      if (!made) throw new Unauthenticated();
      return made;
    }
    await this.journal.record({
      type: 'login.failed',
      subject: { type: 'user', id: caller.id },
      data: { email: caller.email, elevation: true },
    });
    throw new WrongPassword();
  }

  /**
   * Makes an elevated key of a session that its user has just confirmed at the OpenID provider.
   * @throws {NotConfirmed} when that was not done within the last minutes, or was used for another key
   */
  async elevateConfirmed(caller: UserPrincipal, sessionId: string): Promise<ElevatedKey> {
    const made = await this.make(caller, sessionId, (key) => this.keys.addConfirmed(key, LONGEST_SECONDS));
    if (!made) throw new NotConfirmed();
    return made;
  }

  /** Deletes the elevated keys of a session, which stop working at once. */
  async end(caller: UserPrincipal, sessionId: string): Promise<void> {
    await this.transactions.run(async () => {
      for (const id of await this.keys.deleteElevated(sessionId))
        await this.journal.record({
          type: 'key.deleted',
          subject: { type: 'key', id },
          data: { userId: caller.id, kind: 'elevated' },
        });
    });
  }

  /** Returns null when `insert` refused the key. */
  private make(
    caller: UserPrincipal,
    sessionId: string,
    insert: (key: NewElevatedKey) => Promise<Date | null>,
  ): Promise<ElevatedKey | null> {
    const key = makeApiKey('user');
    const id = uuidv7();
    const prefix = key.slice(0, PREFIX_LENGTH);
    const row = { id, userId: caller.id, sessionId, name: NAME, prefix, hash: hashOfKey(key) };
    return this.transactions.run(async () => {
      const expiresAt = await insert(row);
      if (!expiresAt) return null;
      await this.journal.record({
        type: 'key.created',
        subject: { type: 'key', id },
        data: { userId: caller.id, kind: 'elevated', name: NAME, prefix, role: null, expiresAt },
      });
      return { key, expiresAt };
    });
  }
}

class NotConfirmed extends Problem {
  constructor() {
    super(
      'confirmation_missing',
      'Sign in again at the OpenID provider first: open GET /api/auth/oidc/login?confirm=true in this browser.',
    );
  }
}

class WrongPassword extends Problem {
  constructor() {
    super('wrong_password', 'The password is wrong. Send the password that you sign in with.');
  }
}
