import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { DataSource, IsNull, Not, Raw, Repository } from 'typeorm';
import { ChoresWorker } from '../chores/chores.worker.js';
import { Settings } from '../config/settings.js';
import { KeysetPagesService } from '../database/keyset-pages.service.js';
import { isUnavailable } from '../database/postgres-errors.js';
import { prepared } from '../database/service.client.js';
import type { Page, PageRequest } from '../http/page-and-cursor.query.js';
import { ApiKey, Session } from './authentication.entities.js';
import type { Role } from './principals-and-roles.js';

/** The longest User-Agent that a session keeps. */
export const USER_AGENT_LENGTH = 200;

/** After a failure the next request of a caller does not wait for another one. */
const TOUCH_AGAIN_MS = 60_000;

/**
 * Records the last use of keys or sessions. A request that reads is answered also where the database takes no writes, or
 * confirms none, so that a failure is no reason to refuse it (contract §8.6).
 */
export class LastUses {
  /** Until when the last use of these is not recorded. */
  private readonly quiet = new Map<string, number>();

  constructor(private readonly write: (id: string) => Promise<void>) {}

  async record(id: string): Promise<void> {
    if ((this.quiet.get(id) ?? 0) > performance.now()) return;
    this.quiet.set(id, performance.now() + TOUCH_AGAIN_MS);
    try {
      await this.write(id);
      this.quiet.delete(id);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}

/** How long a session lasts (contract §2.6). */
export type SessionLife = Pick<Settings, 'sessionIdleHours' | 'sessionMaxDays'>;

/** The condition for a valid session. @param s alias of the table `sessions` */
export const isValidSession = (s: string, life: SessionLife): string =>
  `(${s}.last_used_at > now() - ${idleTime(life)} AND ${s}.created_at > now() - ${wholeLife(life)})`;

/** When a session ends if it is not used again. @param s alias of the table `sessions` */
export const endOfSession = (s: string, life: SessionLife): string =>
  `least(${s}.last_used_at + ${idleTime(life)}, ${s}.created_at + ${wholeLife(life)})`;

/** The time without use after which a session ends, as an interval. */
const idleTime = ({ sessionIdleHours }: SessionLife) => `interval '${sessionIdleHours} hours'`;

/** The time after which a session ends whatever its use, as an interval. */
export const wholeLife = ({ sessionMaxDays }: Pick<SessionLife, 'sessionMaxDays'>): string =>
  `interval '${sessionMaxDays} days'`;

/** A valid session and its user. */
export interface SessionAndUser {
  session_id: string;
  last_use_is_stale: boolean;
  user_id: string;
  user_name: string;
  user_email: string;
  user_role: Role;
  signed_in_with: 'password' | 'oidc';
}

/** A session as its user sees it. */
export type SessionRow = Pick<Session, 'id' | 'createdAt' | 'lastUsedAt' | 'address' | 'userAgent'> & {
  expiresAt: Date;
};

/** A session to insert. */
export type NewSession = Pick<Session, 'id' | 'hash' | 'userId' | 'address' | 'userAgent'>;

/** Rows of one deletion. */
const BATCH = 5_000;

const findByHash = (isValid: string) => `
  SELECT s.id AS session_id, s.last_used_at < now() - interval '1 minute' AS last_use_is_stale,
         u.id AS user_id, u.name AS user_name, u.email AS user_email, u.role AS user_role,
         CASE WHEN s.oidc_issuer IS NULL THEN 'password' ELSE 'oidc' END AS signed_in_with
  FROM sessions s JOIN users u ON u.id = s.user_id
  WHERE s.hash = $1 AND u.disabled_at IS NULL AND ${isValid}`;

/**
 * Stores sessions, one row each. Deleting the row ends the session, and only a login inserts one. Beside what TypeORM gives,
 * the statements about them that stay SQL (decision 0053).
 */
@Injectable()
export class SessionRepository extends Repository<Session> {
  private readonly findSql: string;

  constructor(
    @InjectDataSource() source: DataSource,
    private readonly pages: KeysetPagesService,
    private readonly settings: Settings,
  ) {
    super(Session, source.manager);
    this.findSql = prepared('sessions.by_hash', findByHash(isValidSession('s', settings)));
  }

  /**
   * SQL: every request runs it, so that no permission is cached (contract §2.3). Reads a session and its user in one
   * statement.
   */
  async findByHash(hash: Buffer): Promise<SessionAndUser | null> {
    const [row] = await this.query<SessionAndUser[]>(this.findSql, [hash]);
    return row ?? null;
  }

  /**
   * Records that a session was used, at most once per minute. It is an UPDATE, so a request in flight cannot restore an
   * ended session.
   */
  async touch(id: string): Promise<void> {
    const isStale = Raw((column) => `${column} < now() - interval '1 minute'`);
    await this.update({ id, lastUsedAt: isStale }, { lastUsedAt: () => 'now()' });
  }

  /**
   * SQL: an insert from a locked row. Inserts a session if the user is still as the login read it. The row lock waits for a
   * transaction that disables the user or changes the password, and the condition is then evaluated again. Returns whether a
   * session was inserted.
   * @param passwordHash that the login checked
   */
  async add(session: NewSession, passwordHash: string): Promise<boolean> {
    const { id, hash, userId, address, userAgent } = session;
    const made = await this.query<unknown[]>(
      `WITH same AS (
         SELECT id FROM users WHERE id = $3 AND disabled_at IS NULL AND password_hash = $4 FOR SHARE
       )
       INSERT INTO sessions (id, user_id, hash, address, user_agent)
       SELECT $1::uuid, id, $2::bytea, $5, $6 FROM same RETURNING id`,
      [id, hash, userId, passwordHash, address, userAgent],
    );
    return made.length === 1;
  }

  /** SQL: a keyset page of the valid sessions of a user. */
  listOf(userId: string, page: PageRequest): Promise<Page<SessionRow>> {
    const columns = `s.id, s.created_at AS "createdAt", s.last_used_at AS "lastUsedAt",
      ${endOfSession('s', this.settings)} AS "expiresAt", s.address, s.user_agent AS "userAgent"`;
    const where = `s.user_id = $1 AND ${isValidSession('s', this.settings)}`;
    const list = { columns, from: 'sessions s', where, parameters: [userId] };
    return this.pages.readOldestFirst<SessionRow>(list, page, 's');
  }

  /** Ends a valid session. @returns false when the user has no such session */
  async deleteOf(userId: string, id: string): Promise<boolean> {
    const valid = isValidSession('sessions', this.settings);
    const ended = this.createQueryBuilder().delete().where({ id, userId }).andWhere(valid);
    return (await ended.execute()).affected === 1;
  }

  /** SQL: a bounded deletion. Removes sessions past their greatest age; idle ones have ended already and go with them. */
  async sweep(): Promise<number> {
    const old = `SELECT id FROM sessions WHERE created_at < now() - ${wholeLife(this.settings)} LIMIT ${BATCH}`;
    const [, removed] = await this.query<[unknown, number]>(
      `DELETE FROM sessions WHERE id = ANY(ARRAY(${old}))`,
    );
    return removed;
  }
}

const MINUTE = 60;
const HOUR = 3_600;

/** Removes expired sessions and elevated keys. Nothing depends on when that happens. */
@Injectable()
export class AuthenticationChoresWorker {
  constructor(
    chores: ChoresWorker,
    @InjectRepository(Session) sessions: SessionRepository,
    @InjectRepository(ApiKey) keys: Repository<ApiKey>,
  ) {
    chores.add({ name: 'expired elevated keys', everySeconds: MINUTE, run: () => sweepElevated(keys) });
    chores.add({ name: 'expired sessions', everySeconds: HOUR, run: () => sessions.sweep() });
  }
}

async function sweepElevated(keys: Repository<ApiKey>): Promise<number> {
  const expiresAt = Raw((column) => `${column} <= now()`);
  return (await keys.delete({ sessionId: Not(IsNull()), expiresAt })).affected ?? 0;
}
