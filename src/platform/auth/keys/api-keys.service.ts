import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { Transactions } from '../../database/transactions.js';
import { NotFound } from '../../http/problem.js';
import type { Page, PageRequest } from '../../http/page.js';
import { Journal } from '../../journal/journal.js';
import type { Role } from '../roles.js';
import { hashOfKey, makeApiKey, PREFIX_LENGTH } from './api-key-format.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeysRepository, type KeyOwner } from './api-keys.repository.js';

/** What a new key is to be; `expiresAt` undefined means the default of its kind of owner. */
export interface NewKey {
  name: string;
  expiresAt?: Date | null;
  role?: Role | null;
}

const USER_KEY_DAYS = 90;

/** Makes, lists and ends the keys of users and agents. A key is shown once, when it is made (spec §2). */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  list(owner: KeyOwner, page: PageRequest): Promise<Page<ApiKeyEntity>> {
    return this.keys.listOf(owner, page);
  }

  /** Makes a key at random, or stores the one given (only the bootstrap of the first Owner gives one). */
  async create(
    owner: KeyOwner,
    request: NewKey,
    given?: string,
  ): Promise<{ row: ApiKeyEntity; key: string }> {
    const forUser = 'userId' in owner;
    const key = given ?? makeApiKey(forUser ? 'user' : 'agent');
    const row = await this.transactions.run(async () => {
      const made = await this.keys.insert({
        id: uuidv7(),
        userId: forUser ? owner.userId : null,
        agentId: forUser ? null : owner.agentId,
        name: request.name,
        prefix: key.slice(0, PREFIX_LENGTH),
        hash: hashOfKey(key),
        role: request.role ?? null,
        expiresAt:
          request.expiresAt === undefined ? (forUser ? inDays(USER_KEY_DAYS) : null) : request.expiresAt,
      });
      await this.journal.record({
        type: 'key.created',
        subject: { type: 'key', id: made.id },
        data: { ...owner, name: made.name, prefix: made.prefix, role: made.role, expiresAt: made.expiresAt },
      });
      return made;
    });
    return { row, key };
  }

  async delete(owner: KeyOwner, keyId: string): Promise<void> {
    if (!isUuid(keyId)) throw new NotFound();
    await this.transactions.run(async () => {
      if (!(await this.keys.delete(owner, keyId))) throw new NotFound();
      await this.journal.record({
        type: 'key.deleted',
        subject: { type: 'key', id: keyId },
        data: { ...owner },
      });
    });
  }

  /** Ends all keys of an owner at once. */
  async deleteAllOf(owner: KeyOwner): Promise<void> {
    await this.keys.deleteAllOf(owner);
  }
}

function inDays(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}
