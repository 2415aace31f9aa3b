import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../http/page.js';
import { Forbidden } from '../auth.errors.js';
import type { UserPrincipal } from '../principal.js';
import { isAtLeast, type Role } from '../roles.js';
import { UsersService } from '../users/users.service.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeysService, type NewKey } from './api-keys.service.js';

/** Keys of users, one's own and other people's: nobody makes a key that can do more than they can (spec §2). */
@Injectable()
export class UserKeysService {
  constructor(
    private readonly users: UsersService,
    private readonly keys: ApiKeysService,
  ) {}

  async list(userId: string, page: PageRequest): Promise<Page<ApiKeyEntity>> {
    const user = await this.users.get(userId);
    return this.keys.list({ userId: user.id }, page);
  }

  async create(
    caller: UserPrincipal,
    userId: string,
    request: NewKey,
  ): Promise<{ row: ApiKeyEntity; key: string }> {
    const user = await this.users.get(userId);
    if (user.id !== caller.id) refuseAbove(caller, user.role);
    if (request.role) refuseAbove(caller, request.role);
    // A key narrower than its owner must not make one that is as wide as the owner.
    const role = request.role ?? (caller.id === user.id ? caller.roleCap : null);
    return this.keys.create({ userId: user.id }, { ...request, role });
  }

  async delete(caller: UserPrincipal, userId: string, keyId: string): Promise<void> {
    const user = await this.users.get(userId);
    if (user.id !== caller.id) refuseAbove(caller, user.role);
    await this.keys.delete({ userId: user.id }, keyId);
  }
}

function refuseAbove(caller: UserPrincipal, role: Role): void {
  if (!isAtLeast(caller.role, role)) throw new Forbidden(`You are ${caller.role}: ${role} is above you.`);
}
