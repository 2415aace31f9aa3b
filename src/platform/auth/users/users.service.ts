import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { isUniqueViolation } from '../../database/postgres-errors.js';
import { Transactions } from '../../database/transactions.js';
import type { Page, PageRequest } from '../../http/page.js';
import { NotFound, Problem } from '../../http/problem.js';
import { Journal } from '../../journal/journal.js';
import { Forbidden, LastOwner } from '../auth.errors.js';
import { Passwords } from '../passwords.js';
import type { UserPrincipal } from '../principal.js';
import { isAtLeast, type Role } from '../roles.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import type { CreateUserRequest } from './dto/create-user.request.js';
import type { UpdateUserRequest } from './dto/update-user.request.js';
import type { UserEntity } from './user.entity.js';
import { UsersRepository } from './users.repository.js';

/** Users and the ladder of roles: nobody grants above their own, nor touches someone above them (spec §2). */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsRepository,
    private readonly passwords: Passwords,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  list(page: PageRequest): Promise<Page<UserEntity>> {
    return this.users.list(page);
  }

  async get(id: string): Promise<UserEntity> {
    const user = isUuid(id) ? await this.users.findById(id) : null;
    if (!user) throw new NotFound();
    return user;
  }

  async create(caller: UserPrincipal, request: CreateUserRequest): Promise<UserEntity> {
    refuseAbove(caller, request.role);
    const passwordHash = request.password === undefined ? null : await this.passwords.hash(request.password);
    return this.transactions.run(async () => {
      const { email, name, role } = request;
      const user = await this.naming(() =>
        this.users.insert({ id: uuidv7(), email, name, role, passwordHash }),
      );
      await this.journal.record({
        type: 'user.created',
        subject: { type: 'user', id: user.id },
        data: { email, role },
      });
      return user;
    });
  }

  async update(caller: UserPrincipal, id: string, request: UpdateUserRequest): Promise<UserEntity> {
    const { password, disabled, ...fields } = request;
    const secret = password === undefined ? {} : { passwordHash: await this.passwords.hash(password) };
    return this.transactions.run(async () => {
      const user = await this.lock(id);
      refuseAbove(caller, user.role);
      if (fields.role) refuseAbove(caller, fields.role);
      const gone = disabled === true || (fields.role !== undefined && fields.role !== 'Owner');
      if (gone) await this.refuseLastOwner(user);
      const shut =
        disabled === undefined ? {} : { disabledAt: disabled ? () => 'coalesce(disabled_at, now())' : null };
      const changed = await this.naming(() => this.users.update(user.id, { ...fields, ...secret, ...shut }));
      if (password !== undefined || changed.disabledAt) await this.sessions.deleteAllOf(user.id);
      await this.tell(user, changed, password !== undefined);
      return changed;
    });
  }

  /** DELETE disables: what the person did stays theirs in the records. */
  async disable(caller: UserPrincipal, id: string): Promise<void> {
    await this.update(caller, id, { disabled: true });
  }

  private async lock(id: string): Promise<UserEntity> {
    const user = isUuid(id) ? await this.users.lockOwnersAnd(id) : null;
    if (!user) throw new NotFound();
    return user;
  }

  private async refuseLastOwner(user: UserEntity): Promise<void> {
    if (user.role !== 'Owner' || user.disabledAt) return;
    if ((await this.users.countOtherOwners(user.id)) === 0) throw new LastOwner();
  }

  private async naming<T>(write: () => Promise<T>): Promise<T> {
    try {
      return await write();
    } catch (fault) {
      if (isUniqueViolation(fault, 'users_email_unique')) throw new EmailTaken();
      throw fault;
    }
  }

  private async tell(before: UserEntity, after: UserEntity, newPassword: boolean): Promise<void> {
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

function refuseAbove(caller: UserPrincipal, role: Role): void {
  if (!isAtLeast(caller.role, role)) throw new Forbidden(`You are ${caller.role}: ${role} is above you.`);
}
