import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, Repository } from 'typeorm';
import { Settings } from '../config/settings.js';
import { KeysetPagesService } from '../database/keyset-pages.service.js';
import type { Page, PageRequest } from '../http/page-and-cursor.query.js';
import { User } from './authentication.entities.js';

/** A user. The hash of the password is read only to check a password. */
export type UserRow = Omit<User, 'passwordHash' | 'isBootstrap'>;

/** A user as they are made. */
export type NewUser = Pick<User, 'id' | 'email' | 'name' | 'role' | 'passwordHash'> &
  Partial<Pick<User, 'isBootstrap'>>;

/** What an update sets; an absent field stays as it is. */
export type UserChange = Partial<Pick<User, 'email' | 'name' | 'role'>> & {
  passwordHash?: string;
  disabled?: boolean;
};

const COLUMNS = `
  id, email, name, role, disabled_at AS "disabledAt", created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Condition: the password of the user `u` signs in (contract §2.9). @param on parameter that says whether all passwords do */
const passwordWorks = (on: string) => `(u.password_hash IS NOT NULL AND (${on}::boolean OR u.is_bootstrap))`;

/**
 * Condition: the user `u` can sign in with the whole role, by password, at the OpenID provider, or by a key that works
 * (contract §2.2). Its parameters are whether all passwords sign in, and the issuer or null.
 */
const canSignIn = (on: string, issuer: string) => `u.disabled_at IS NULL AND (${passwordWorks(on)} OR EXISTS (
  SELECT 1 FROM user_identities i WHERE i.user_id = u.id AND i.issuer = ${issuer}) OR EXISTS (
  SELECT 1 FROM api_keys k WHERE k.user_id = u.id AND k.session_id IS NULL AND coalesce(k.role, u.role) = u.role
    AND (k.expires_at IS NULL OR k.expires_at > now())))`;

/** Beside what TypeORM gives, the statements about users that stay SQL (decision 0053). */
@Injectable()
export class UserRepository extends Repository<User> {
  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
    private readonly settings: Settings,
  ) {
    super(User, source.manager);
  }

  /** SQL: a keyset page. */
  list(page: PageRequest): Promise<Page<UserRow>> {
    const list = { columns: COLUMNS, from: 'users', where: 'true', parameters: [] };
    return this.pages.readOldestFirst<UserRow>(list, page);
  }

  /** SQL: the rule of passwords in the same read. Finds a user by address in any case, with the hash where that signs in. */
  async findForLogin(email: string): Promise<(UserRow & { passwordHash: string | null }) | null> {
    const [user] = await this.query<(UserRow & { passwordHash: string | null })[]>(
      `SELECT ${COLUMNS}, CASE WHEN ${passwordWorks('$2')} THEN u.password_hash END AS "passwordHash"
       FROM users u WHERE lower(email) = lower($1)`,
      [email, this.settings.passwordLogin],
    );
    return user ?? null;
  }

  /** SQL: the rule of passwords in the same read. Returns the hash of a user's password where that signs in, or null. */
  async signInHashOf(id: string): Promise<string | null> {
    const [row] = await this.query<{ hash: string }[]>(
      `SELECT u.password_hash AS hash FROM users u WHERE u.id = $1 AND ${passwordWorks('$2')}`,
      [id, this.settings.passwordLogin],
    );
    return row?.hash ?? null;
  }

  /** Locks the Owners' rows, so that two concurrent demotions cannot both find another Owner, and returns this user. */
  async lockOwnersAnd(id: string): Promise<UserRow | null> {
    const where = [{ role: 'Owner' as const }, { id }];
    const locked = await this.find({ where, order: { id: 'ASC' }, lock: { mode: 'pessimistic_write' } });
    return locked.find((user) => user.id === id) ?? null;
  }

  /** Locks one user's row. */
  lockOne(id: string): Promise<UserRow | null> {
    return this.findOne({ where: { id }, lock: { mode: 'for_no_key_update' } });
  }

  /**
   * SQL: it reads a table of a module above. Returns whether another Owner than this user can sign in.
   * The rows of all Owners are locked.
   */
  async hasOtherOwner(id: string): Promise<boolean> {
    const others = await this.query<unknown[]>(
      `SELECT 1 FROM users u WHERE u.role = 'Owner' AND u.id <> $1 AND ${canSignIn('$2', '$3')} LIMIT 1`,
      [id, this.settings.passwordLogin, this.settings.oidc?.issuer ?? null],
    );
    return others.length > 0;
  }

  /** SQL: TypeORM locks no tables. Keeps every other transaction from inserting users until this one ends. */
  async lockTable(): Promise<void> {
    await this.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
  }

  async add(user: NewUser): Promise<UserRow> {
    const added = this.createQueryBuilder()
      .insert()
      .values({ ...user })
      .returning(COLUMNS)
      .updateEntity(false);
    const { raw } = await added.execute();
    return (raw as UserRow[])[0]!;
  }

  /** Changes a user whose row is locked. A user who is disabled already keeps the time. */
  async change(id: string, { disabled, ...fields }: UserChange): Promise<UserRow> {
    const disabledAt = disabled ? () => 'coalesce(disabled_at, now())' : null;
    const changed = this.createQueryBuilder()
      .update()
      .set({ ...fields, ...(disabled !== undefined && { disabledAt }), updatedAt: () => 'now()' })
      .where({ id })
      .returning(COLUMNS);
    const { raw } = await changed.execute();
    return (raw as UserRow[])[0]!;
  }
}
