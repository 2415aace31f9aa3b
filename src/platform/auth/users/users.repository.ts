import { Injectable } from '@nestjs/common';
import type { QueryDeepPartialEntity } from 'typeorm';
import { Database } from '../../database/database.js';
import { readOldestFirst } from '../../database/keyset.js';
import type { Page, PageRequest } from '../../http/page.js';
import { UserEntity } from './user.entity.js';

@Injectable()
export class UsersRepository {
  constructor(private readonly database: Database) {}

  list(page: PageRequest): Promise<Page<UserEntity>> {
    return readOldestFirst<UserEntity>(
      this.database,
      {
        columns: `id, email, name, role, disabled_at AS "disabledAt", created_at AS "createdAt", updated_at AS "updatedAt"`,
        from: 'users',
        where: 'true',
        parameters: [],
      },
      page,
    );
  }

  findById(id: string): Promise<UserEntity | null> {
    return this.database.manager.findOneBy(UserEntity, { id });
  }

  /** With the hash of the password, whatever the case of the address. */
  findForLogin(email: string): Promise<UserEntity | null> {
    return this.database.manager
      .createQueryBuilder(UserEntity, 'u')
      .addSelect('u.passwordHash')
      .where('lower(u.email) = lower(:email)', { email })
      .getOne();
  }

  /** The hash of a user's password, null where there is none. */
  async passwordHashOf(id: string): Promise<string | null> {
    const row = await this.database.row<{ hash: string | null }>(
      'SELECT password_hash AS hash FROM users WHERE id = $1',
      [id],
    );
    return row?.hash ?? null;
  }

  /** @returns false where the password has changed since it was read, or the user was disabled */
  async changePassword(id: string, before: string, after: string): Promise<boolean> {
    const changed = await this.database.change(
      `UPDATE users SET password_hash = $3, updated_at = now()
       WHERE id = $1 AND password_hash = $2 AND disabled_at IS NULL`,
      [id, before, after],
    );
    return changed === 1;
  }

  /** Holds the Owners' rows, so that two demotions at once can't both find another Owner. */
  async lockOwnersAnd(id: string): Promise<UserEntity | null> {
    await this.database.rows(`SELECT id FROM users WHERE role = 'Owner' OR id = $1 ORDER BY id FOR UPDATE`, [
      id,
    ]);
    return this.findById(id);
  }

  /** Owners who may call, beside one user. */
  async countOtherOwners(id: string): Promise<number> {
    return this.database.manager
      .createQueryBuilder(UserEntity, 'u')
      .where(`u.role = 'Owner' AND u.disabled_at IS NULL AND u.id <> :id`, { id })
      .getCount();
  }

  async isEmpty(): Promise<boolean> {
    return !(await this.database.manager.exists(UserEntity));
  }

  async insert(
    user: Pick<UserEntity, 'id' | 'email' | 'name' | 'role' | 'passwordHash'>,
  ): Promise<UserEntity> {
    await this.database.manager.insert(UserEntity, user);
    return this.database.manager.findOneByOrFail(UserEntity, { id: user.id });
  }

  async update(id: string, fields: QueryDeepPartialEntity<UserEntity>): Promise<UserEntity> {
    await this.database.manager.update(UserEntity, { id }, { ...fields, updatedAt: () => 'now()' });
    return this.database.manager.findOneByOrFail(UserEntity, { id });
  }
}
