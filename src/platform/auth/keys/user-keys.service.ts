import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../http/pages/page.js';
import type { UserPrincipal } from '../principal.js';
import { Forbidden } from '../auth.errors.js';
import { lowerOf, type Role } from '../roles.js';
import { refuseAbove } from '../users/refuse-above.js';
import { UsersService } from '../users/users.service.js';
import type { ApiKeyRow } from './api-keys.repository.js';
import { ApiKeysService, type NewKey } from './api-keys.service.js';

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
