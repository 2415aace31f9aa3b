import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import { PasswordsService } from '../passwords/password-hashes-and-throttle.service.js';
import { User } from '../authentication/authentication.entities.js';
import { UserRepository } from '../authentication/user.repository.js';
import { Settings } from '../config/settings.js';
import { TransactionsService } from '../database/transactions.service.js';
import { JournalService } from '../journal/journal.service.js';
import { ApiKeysService } from './api-keys.service.js';

/**
 * The credentials that the terminal shows once, after the first start. Values that the operator chose are not repeated.
 */
export interface NewOwner {
  email: string;
  password: string | null;
  apiKey: string | null;
}

/** Makes the first Owner at the first start with an empty database (contract §2). */
@Injectable()
export class BootstrapOwnerService {
  constructor(
    private readonly settings: Settings,
    @InjectRepository(User) private readonly users: UserRepository,
    private readonly keys: ApiKeysService,
    private readonly passwords: PasswordsService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** Returns the new Owner's credentials, or null where there are users already. */
  async makeIfNone(): Promise<NewOwner | null> {
    const chosen = this.settings.bootstrapOwner;
    const email = chosen.email ?? 'owner@localhost.localdomain';
    const password = chosen.password ?? randomBytes(18).toString('base64url');
    const passwordHash = await this.passwords.hash(password);
    return this.transactions.run(async () => {
      // Two services that start at once on an empty database must make one Owner.
      await this.users.lockTable();
      if (await this.users.exists()) return null;
      const userId = await this.insertOwner(email, passwordHash);
      const request = { name: 'bootstrap', expiresAt: null };
      const { key } = await this.keys.create({ userId }, request, chosen.apiKey ?? undefined);
      return { email, password: chosen.password ? null : password, apiKey: chosen.apiKey ? null : key };
    });
  }

  private async insertOwner(email: string, passwordHash: string): Promise<string> {
    const role = 'Owner';
    const owner = { id: uuidv7(), email, name: 'Owner', role, passwordHash, isBootstrap: true } as const;
    const { id } = await this.users.add(owner);
    await this.journal.record({
      type: 'user.created',
      subject: { type: 'user', id },
      data: { email, role },
    });
    return id;
  }
}
