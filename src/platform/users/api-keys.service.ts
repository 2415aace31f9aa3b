import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import {
  hashOfKey,
  makeApiKey,
  PREFIX_LENGTH,
} from '../authentication/key-format-and-authentication.service.js';
import { ApiKey } from '../authentication/authentication.entities.js';
import {
  ApiKeyRepository,
  type ApiKeyRow,
  type ExpiringKey,
  type KeyOwner,
} from '../authentication/api-key.repository.js';
import { Forbidden, Unauthenticated } from '../authentication/authentication.errors.js';
import { lowerOf, type Role, type UserPrincipal } from '../authentication/principals-and-roles.js';
import { ChoresWorker } from '../chores/chores.worker.js';
import { isForeignKeyViolation } from '../database/postgres-errors.js';
import { TransactionsService } from '../database/transactions.service.js';
import type { Page, PageRequest } from '../http/page-and-cursor.query.js';
import { NotFound } from '../http/problem.js';
import { JournalService } from '../journal/journal.service.js';
import { refuseAbove, UsersService } from './users-profiles-sessions.service.js';

/** The properties of a new key. An undefined `expiresAt` takes the default for the kind of owner. */
export interface NewKey {
  name: string;
  expiresAt?: Date | null;
  role?: Role | null;
  /** The key that it is made with: it ends with that key, and no later. */
  parent?: { keyId: string; expiresAt: Date | null };
}

const USER_KEY_DAYS = 90;

/**
 * Creates, lists and deletes the keys of users and agents. A key is shown once, in the response that creates it
 * (contract §2.5).
 */
@Injectable()
export class ApiKeysService {
  constructor(
    @InjectRepository(ApiKey) private readonly keys: ApiKeyRepository,
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
      const made = await this.insert(rowOf(owner, request, key));
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
      const deleted = await this.keys.deleteTree(owner, keyId);
      if (deleted.length === 0) throw new NotFound();
      for (const id of deleted)
        await this.journal.record({
          type: 'key.deleted',
          subject: { type: 'key', id },
          data: { ...owner, ...(id !== keyId && { with: keyId }) },
        });
    });
  }

  /** Whether a key is `root` or was made with it. */
  descends(keyId: string, root: string): Promise<boolean> {
    return isUuid(keyId) ? this.keys.descends(keyId, root) : Promise.resolve(false);
  }

  /** Deletes all keys of an owner, which stop working at once. */
  async deleteAllOf(owner: KeyOwner): Promise<void> {
    await this.keys.delete(owner);
  }

  /** @throws {Unauthenticated} when the key that the request was made with has just been deleted */
  private async insert(row: ReturnType<typeof rowOf>): Promise<ApiKeyRow> {
    try {
      return await this.keys.add(row);
    } catch (error) {
      if (isForeignKeyViolation(error, 'api_keys_parent_fk')) throw new Unauthenticated();
      throw error;
    }
  }
}

function rowOf(owner: KeyOwner, { name, role = null, expiresAt, parent }: NewKey, key: string) {
  const forUser = 'userId' in owner;
  const ends = expiresAt === undefined ? (forUser ? inDays(USER_KEY_DAYS) : null) : expiresAt;
  return {
    id: uuidv7(),
    userId: forUser ? owner.userId : null,
    agentId: forUser ? null : owner.agentId,
    name,
    prefix: key.slice(0, PREFIX_LENGTH),
    hash: hashOfKey(key),
    role,
    parentKeyId: parent?.keyId ?? null,
    expiresAt: earlierOf(ends, parent?.expiresAt ?? null),
  };
}

/** Returns the earlier of two ends; null is no end. */
function earlierOf(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}

function inDays(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}

/**
 * Manages the keys of users, the caller's own and other people's. A caller cannot create a key of a higher role than
 * the caller's (contract §2.2).
 */
@Injectable()
export class UserKeysService {
  constructor(
    private readonly users: UsersService,
    private readonly keys: ApiKeysService,
  ) {}

  async list(userId: string, page: PageRequest): Promise<Page<ApiKeyRow>> {
    const user = await this.users.get(userId);
    return this.keys.list({ userId: user.id }, page);
  }

  async create(
    caller: UserPrincipal,
    userId: string,
    request: NewKey,
  ): Promise<{ row: ApiKeyRow; key: string }> {
    const user = await this.users.get(userId);
    if (user.id !== caller.id) refuseAbove(caller, user.role);
    if (request.role) refuseAbove(caller, request.role);
    const isOwn = user.id === caller.id;
    const role = isOwn ? (request.role ?? caller.roleCap) : capForOther(caller, request.role ?? null);
    const parent =
      isOwn && caller.keyId !== null ? { keyId: caller.keyId, expiresAt: caller.keyExpiresAt } : undefined;
    return this.keys.create({ userId: user.id }, { ...request, role, parent });
  }

  async delete(caller: UserPrincipal, userId: string, keyId: string): Promise<void> {
    const user = await this.users.get(userId);
    if (user.id !== caller.id) refuseAbove(caller, user.role);
    else await this.refuseBeyondCap(caller, keyId);
    await this.keys.delete({ userId: user.id }, keyId);
  }

  /** A key of a lower role than its owner manages itself and the keys that were made with it (contract §2.5). */
  private async refuseBeyondCap({ keyId, roleCap }: UserPrincipal, target: string): Promise<void> {
    if (keyId === null || roleCap === null || (await this.keys.descends(target, keyId))) return;
    throw new Forbidden(
      `This key is limited to the role ${roleCap}: it deletes itself and keys that were made with it. Use another key or sign in.`,
    );
  }
}

/** A key that is made for somebody else never gets above its maker, also when the owner's role rises later. */
function capForOther({ role: own }: UserPrincipal, asked: Role | null): Role | null {
  const cap = lowerOf(own, asked);
  return cap === 'Owner' ? null : cap;
}

const HOUR = 3_600;

/** How long before its end a key is warned of. One that was made for a shorter time is not warned of. */
const WARNED_DAYS = 14;

/**
 * Warns once of each key that ends soon (contract §2.5): in the journal, from where webhooks and the event stream take
 * it, and in the log. Without a warning a key of a pipeline dies unnoticed.
 */
@Injectable()
export class KeyExpiryWorker {
  private readonly log = new Logger(KeyExpiryWorker.name);

  constructor(
    chores: ChoresWorker,
    @InjectRepository(ApiKey) private readonly keys: ApiKeyRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {
    chores.add({ name: 'keys that end soon', everySeconds: HOUR, run: () => this.warn() });
  }

  private async warn(): Promise<number> {
    const expiring = await this.transactions.run(async () => {
      const taken = await this.keys.takeExpiring(WARNED_DAYS);
      await this.journal.record(
        ...taken.map(({ id, ...data }) => ({
          type: 'key.expiring' as const,
          subject: { type: 'key', id },
          data,
        })),
      );
      return taken;
    });
    for (const key of expiring) this.log.warn(sentenceOn(key));
    return expiring.length;
  }
}

function sentenceOn({ name, prefix, userId, agentId, expiresAt }: ExpiringKey): string {
  const owner = userId === null ? `agent ${agentId}` : `user ${userId}`;
  return `The key '${name}' (${prefix}…) of ${owner} ends on ${expiresAt.toISOString()}. Create another one and replace it before then.`;
}
