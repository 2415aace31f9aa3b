import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { DatabaseService } from '../database/database.service.js';
import { KeysetPagesService } from '../database/keyset-pages.service.js';
import type { Page, PageRequest } from '../http/page.js';
import type { Role } from './principal.js';

/** A user. The hash of the password is read only to check a password. */
export interface UserRow {
  id: string;
  email: string;
  name: string;
  role: Role;
  disabledAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What an update sets; an absent field stays as it is. */
export interface UserChange {
  email?: string;
  name?: string;
  role?: Role;
  passwordHash?: string;
  disabled?: boolean;
}

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

@Injectable()
export class UsersRepository {
  constructor(
    private readonly database: DatabaseService,
    private readonly pages: KeysetPagesService,
    private readonly settings: Settings,
  ) {}

  list(page: PageRequest): Promise<Page<UserRow>> {
    const list = { columns: COLUMNS, from: 'users', where: 'true', parameters: [] };
    return this.pages.readOldestFirst<UserRow>(list, page);
  }

  findById(id: string): Promise<UserRow | null> {
    return this.database.row<UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = $1`, [id]);
  }

  /** Finds a user by e-mail address in any case, with the hash of the password where that signs in. */
  findForLogin(email: string): Promise<(UserRow & { passwordHash: string | null }) | null> {
    return this.database.row(
      `SELECT ${COLUMNS}, CASE WHEN ${passwordWorks('$2')} THEN u.password_hash END AS "passwordHash"
       FROM users u WHERE lower(email) = lower($1)`,
      [email, this.settings.passwordLogin],
    );
  }

  /** Returns the hash of a user's password where that signs in, or null. */
  async signInHashOf(id: string): Promise<string | null> {
    const row = await this.database.row<{ hash: string }>(
      `SELECT u.password_hash AS hash FROM users u WHERE u.id = $1 AND ${passwordWorks('$2')}`,
      [id, this.settings.passwordLogin],
    );
    return row?.hash ?? null;
  }

  /** Returns the hash of a user's password, or null when the user has no password. */
  async passwordHashOf(id: string): Promise<string | null> {
    const row = await this.database.row<{ hash: string | null }>(
      'SELECT password_hash AS hash FROM users WHERE id = $1',
      [id],
    );
    return row?.hash ?? null;
  }

  /** @returns false when the password has changed since it was read, or the user was disabled */
  async changePassword(id: string, before: string, after: string): Promise<boolean> {
    const changed = await this.database.change(
      `UPDATE users SET password_hash = $3, updated_at = now()
       WHERE id = $1 AND password_hash = $2 AND disabled_at IS NULL`,
      [id, before, after],
    );
    return changed === 1;
  }

  /** Locks the Owners' rows, so that two concurrent demotions cannot both find another Owner. */
  async lockOwnersAnd(id: string): Promise<UserRow | null> {
    await this.database.rows(`SELECT id FROM users WHERE role = 'Owner' OR id = $1 ORDER BY id FOR UPDATE`, [
      id,
    ]);
    return this.findById(id);
  }

  /** Locks one user's row. */
  lockOne(id: string): Promise<UserRow | null> {
    return this.database.row<UserRow>(`SELECT ${COLUMNS} FROM users WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  }

  /** Returns whether another Owner than this user can sign in. The rows of all Owners are locked. */
  async hasOtherOwner(id: string): Promise<boolean> {
    const other = await this.database.row(
      `SELECT 1 FROM users u WHERE u.role = 'Owner' AND u.id <> $1 AND ${canSignIn('$2', '$3')} LIMIT 1`,
      [id, this.settings.passwordLogin, this.settings.oidc?.issuer ?? null],
    );
    return other !== null;
  }

  async isEmpty(): Promise<boolean> {
    return (await this.database.row('SELECT 1 FROM users LIMIT 1')) === null;
  }

  /** Keeps every other transaction from inserting users until this one ends. */
  async lockTable(): Promise<void> {
    await this.database.rows('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
  }

  async insert(
    user: Pick<UserRow, 'id' | 'email' | 'name' | 'role'> & {
      passwordHash: string | null;
      /** The Owner of the first start. */
      isBootstrap?: boolean;
    },
  ): Promise<UserRow> {
    const row = await this.database.row<UserRow>(
      `INSERT INTO users (id, email, name, role, password_hash, is_bootstrap)
       VALUES ($1, $2, $3, $4, $5, $6) RETURNING ${COLUMNS}`,
      [user.id, user.email, user.name, user.role, user.passwordHash, user.isBootstrap ?? false],
    );
    return row!;
  }

  /** Changes a user whose row is locked. A user who is disabled already keeps the time. */
  async update(id: string, { email, name, role, passwordHash, disabled }: UserChange): Promise<UserRow> {
    const row = await this.database.row<UserRow>(
      `UPDATE users SET
         email = coalesce($2, email), name = coalesce($3, name), role = coalesce($4, role),
         password_hash = coalesce($5, password_hash),
         disabled_at = CASE WHEN $6::boolean IS NULL THEN disabled_at WHEN $6 THEN coalesce(disabled_at, now()) END,
         updated_at = now()
       WHERE id = $1 RETURNING ${COLUMNS}`,
      [id, email, name, role, passwordHash, disabled],
    );
    return row!;
  }
}
