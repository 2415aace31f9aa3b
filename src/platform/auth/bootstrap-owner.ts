import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Settings } from '../config/settings.js';
import { Database } from '../database/database.js';
import { Transactions } from '../database/transactions.js';
import { Journal } from '../journal/journal.js';
import { ApiKeysService } from './keys/api-keys.service.js';
import { Passwords } from './passwords.js';
import { UsersRepository } from './users/users.repository.js';

/** What the terminal shows once, after the first start; parts the operator chose are not repeated. */
export interface NewOwner {
  email: string;
  password: string | null;
  apiKey: string | null;
}

/** Makes the Owner at the first start with an empty database (spec §2, last paragraph). */
@Injectable()
export class BootstrapOwner {
  constructor(
    private readonly settings: Settings,
    private readonly users: UsersRepository,
    private readonly keys: ApiKeysService,
    private readonly passwords: Passwords,
    private readonly database: Database,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  /** @returns what was made, or null where there are users already */
  async makeIfNone(): Promise<NewOwner | null> {
    const chosen = this.settings.bootstrapOwner;
    const email = chosen.email ?? 'owner@localhost.localdomain';
    const password = chosen.password ?? randomBytes(18).toString('base64url');
    const passwordHash = await this.passwords.hash(password);
    return this.transactions.run(async () => {
      // Two services that start at once on an empty database make one Owner.
      await this.database.rows('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
      if (!(await this.users.isEmpty())) return null;
      const owner = await this.users.insert({
        id: uuidv7(),
        email,
        name: 'Owner',
        role: 'Owner',
        passwordHash,
      });
      await this.journal.record({
        type: 'user.created',
        subject: { type: 'user', id: owner.id },
        data: { email, role: 'Owner' },
      });
      const { key } = await this.keys.create(
        { userId: owner.id },
        { name: 'bootstrap', expiresAt: null },
        chosen.apiKey ?? undefined,
      );
      return { email, password: chosen.password ? null : password, apiKey: chosen.apiKey ? null : key };
    });
  }
}
