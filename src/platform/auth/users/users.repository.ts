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
