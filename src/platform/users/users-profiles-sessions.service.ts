import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { Forbidden, LastOwner } from '../authentication/authentication.errors.js';
import { PasswordsService } from '../passwords/password-hashes-and-throttle.service.js';
import { isAtLeast, type Role, type UserPrincipal } from '../authentication/principals-and-roles.js';
import { Session, User } from '../authentication/authentication.entities.js';
import { SessionRepository, type SessionRow } from '../authentication/session.repository.js';
import { UserRepository, type UserRow } from '../authentication/user.repository.js';
import { isUniqueViolation } from '../database/postgres-errors.js';
import { TransactionsService } from '../database/transactions.service.js';
import type { Page, PageRequest } from '../http/page-and-cursor.query.js';
import { NotFound, Problem } from '../http/problem.js';
import { JournalService } from '../journal/journal.service.js';
import { OwnPasswordService } from '../passwords/logins-and-own-password.service.js';
import type { CreateUserRequest, UpdateMeRequest, UpdateUserRequest } from './user-and-api-key.dto.js';

/** @throws {Forbidden} when `role` is above the caller's */
export function refuseAbove(caller: UserPrincipal, role: Role): void {
  if (!isAtLeast(caller.role, role))
    throw new Forbidden(`Your role is ${caller.role}, and ${role} is above it.`);
}

/** Manages users. A caller can neither grant a role above its own nor change a user above itself (contract §2.2). */
@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: UserRepository,
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly passwords: PasswordsService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  list(page: PageRequest): Promise<Page<UserRow>> {
    return this.users.list(page);
  }

  async get(id: string): Promise<UserRow> {
    const user = isUuid(id) ? await this.users.findOneBy({ id }) : null;
    if (!user) throw new NotFound();
    return user;
  }

  async create(caller: UserPrincipal, request: CreateUserRequest): Promise<UserRow> {
    refuseAbove(caller, request.role);
    const passwordHash = request.password === undefined ? null : await this.passwords.hash(request.password);
    return this.transactions.run(async () => {
      const { email, name, role } = request;
      const user = await this.refusingTakenEmail(() =>
        this.users.add({ id: uuidv7(), email, name, role, passwordHash }),
      );
      await this.journal.record({
        type: 'user.created',
        subject: { type: 'user', id: user.id },
        data: { email, role },
      });
      return user;
    });
  }

  async update(caller: UserPrincipal, id: string, request: UpdateUserRequest): Promise<UserRow> {
    const { password, disabled, ...fields } = request;
    const secret = password === undefined ? {} : { passwordHash: await this.passwords.hash(password) };
    return this.transactions.run(async () => {
      const user = await this.lock(id);
      refuseAbove(caller, user.role);
      if (fields.role) refuseAbove(caller, fields.role);
      const gone = disabled === true || (fields.role !== undefined && fields.role !== 'Owner');
      if (gone) await this.refuseLastOwner(user);
      const changed = await this.refusingTakenEmail(() =>
        this.users.change(user.id, { ...fields, ...secret, disabled }),
      );
      if (password !== undefined || changed.disabledAt) await this.sessions.delete({ userId: user.id });
      await this.record(user, changed, password !== undefined);
      return changed;
    });
  }

  /** Changes the caller's own name and e-mail address, whatever the role. */
  async updateOwn(id: string, fields: { name?: string; email?: string }): Promise<UserRow> {
    return this.transactions.run(async () => {
      const user = await this.lock(id);
      const changed = await this.refusingTakenEmail(() => this.users.change(user.id, fields));
      await this.record(user, changed, false);
      return changed;
    });
  }

  /** DELETE disables a user instead of deleting it, so that the records keep the author of every action. */
  async disable(caller: UserPrincipal, id: string): Promise<void> {
    await this.update(caller, id, { disabled: true });
  }

  private async lock(id: string): Promise<UserRow> {
    const user = isUuid(id) ? await this.users.lockOwnersAnd(id) : null;
    if (!user) throw new NotFound();
    return user;
  }

  private async refuseLastOwner(user: UserRow): Promise<void> {
    if (user.role !== 'Owner' || user.disabledAt) return;
    if (!(await this.users.hasOtherOwner(user.id))) throw new LastOwner();
  }

  private async refusingTakenEmail<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (error) {
      if (isUniqueViolation(error, 'users_email_unique')) throw new EmailTaken();
      throw error;
    }
  }

  private async record(before: UserRow, after: UserRow, newPassword: boolean): Promise<void> {
    const subject = { type: 'user', id: after.id };
    const data = Object.fromEntries(
      (['email', 'name', 'role'] as const)
        .filter((field) => before[field] !== after[field])
        .map((field) => [field, { old: before[field], new: after[field] }]),
    );
    if (Object.keys(data).length > 0) await this.journal.record({ type: 'user.updated', subject, data });
    if (newPassword) await this.journal.record({ type: 'user.password_changed', subject });
    if (!before.disabledAt && after.disabledAt) await this.journal.record({ type: 'user.disabled', subject });
    if (before.disabledAt && !after.disabledAt) await this.journal.record({ type: 'user.enabled', subject });
  }
}

class EmailTaken extends Problem {
  constructor() {
    super('name_taken', 'Another user has this e-mail address.');
  }
}

/** Changes a user's own name and e-mail address. */
@Injectable()
export class OwnProfileService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: OwnPasswordService,
  ) {}

  /**
   * The e-mail address is what a user signs in with, so a new one takes the password: a stolen session or key must not be
   * enough to take the account over. A key with a narrower role cannot change the account at all.
   * @throws {ValidationFailed} when the e-mail address changes and `currentPassword` is missing or wrong
   */
  async change(caller: UserPrincipal, { name, email, currentPassword }: UpdateMeRequest): Promise<UserRow> {
    if (caller.roleCap !== null)
      throw new Forbidden(
        'A key with a role of its own cannot change the profile. Sign in, or use another key.',
      );
    const isNewEmail = email !== undefined && email !== caller.email;
    if (isNewEmail) await this.passwords.prove(caller, currentPassword);
    return this.users.updateOwn(caller.id, { name, email });
  }
}

/** Lists and ends sessions of users, the caller's own and other people's (contract §2.6). */
@Injectable()
export class UserSessionsService {
  constructor(
    private readonly users: UsersService,
    @InjectRepository(Session) private readonly sessions: SessionRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  async list(userId: string, page: PageRequest): Promise<Page<SessionRow>> {
    const user = await this.users.get(userId);
    return this.sessions.listOf(user.id, page);
  }

  /** @throws {NotFound} when the user has no such session, or it has ended */
  async end(caller: UserPrincipal, userId: string, sessionId: string): Promise<void> {
    const user = await this.users.get(userId);
    if (user.id !== caller.id) refuseAbove(caller, user.role);
    if (!isUuid(sessionId)) throw new NotFound();
    await this.transactions.run(async () => {
      if (!(await this.sessions.deleteOf(user.id, sessionId))) throw new NotFound();
      await this.journal.record({
        type: 'login.ended',
        subject: { type: 'user', id: user.id },
        data: { sessionId },
      });
    });
  }
}
