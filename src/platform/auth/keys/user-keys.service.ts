import { Injectable } from '@nestjs/common';
import type { Page, PageRequest } from '../../http/pages/page.js';
import type { UserPrincipal } from '../principal.js';
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
    // A key of a lower role than its owner must not create one with the role of the owner.
    const role = request.role ?? (caller.id === user.id ? caller.roleCap : null);
    return this.keys.create({ userId: user.id }, { ...request, role });
  }

  async delete(caller: UserPrincipal, userId: string, keyId: string): Promise<void> {
    const user = await this.users.get(userId);
    if (user.id !== caller.id) refuseAbove(caller, user.role);
    await this.keys.delete({ userId: user.id }, keyId);
  }
}
