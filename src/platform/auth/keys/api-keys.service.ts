import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { TransactionsService } from '../../database/transactions.service.js';
import { NotFound } from '../../http/problem/problem.js';
import type { Page, PageRequest } from '../../http/pages/page.js';
import { JournalService } from '../../journal/journal.service.js';
import type { Role } from '../roles.js';
import { hashOfKey, makeApiKey, PREFIX_LENGTH } from './api-key-format.js';
import { ApiKeysRepository, type ApiKeyRow, type KeyOwner } from './api-keys.repository.js';

/** The properties of a new key. An undefined `expiresAt` takes the default for the kind of owner. */
export interface NewKey {
  name: string;
  expiresAt?: Date | null;
  role?: Role | null;
}

const USER_KEY_DAYS = 90;

/**
 * Creates, lists and deletes the keys of users and agents. A key is shown once, in the response that creates it
 * (contract §2.5).
 */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  list(owner: KeyOwner, page: PageRequest): Promise<Page<ApiKeyRow>> {
    return this.keys.listOf(owner, page);
  }

  /** Creates a random key, or stores the given one, which only the bootstrap of the first Owner does. */
  async create(owner: KeyOwner, request: NewKey, given?: string): Promise<{ row: ApiKeyRow; key: string }> {
    const key = given ?? makeApiKey('userId' in owner ? 'user' : 'agent');
    const row = await this.transactions.run(async () => {
      const made = await this.keys.insert(rowOf(owner, request, key));
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

  /** Deletes all keys of an owner, which stop working at once. */
  async deleteAllOf(owner: KeyOwner): Promise<void> {
    await this.keys.deleteAllOf(owner);
  }
}

function rowOf(owner: KeyOwner, { name, role = null, expiresAt }: NewKey, key: string) {
  const forUser = 'userId' in owner;
  return {
    id: uuidv7(),
    userId: forUser ? owner.userId : null,
    agentId: forUser ? null : owner.agentId,
    name,
    prefix: key.slice(0, PREFIX_LENGTH),
    hash: hashOfKey(key),
    role,
    expiresAt: expiresAt === undefined ? (forUser ? inDays(USER_KEY_DAYS) : null) : expiresAt,
  };
}

function inDays(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}
