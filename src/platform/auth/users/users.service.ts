import { Injectable } from '@nestjs/common';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { isUniqueViolation } from '../../database/postgres-errors.js';
import { TransactionsService } from '../../database/transactions.service.js';
import type { Page, PageRequest } from '../../http/pages/page.js';
import { NotFound, Problem } from '../../http/problem/problem.js';
import { JournalService } from '../../journal/journal.service.js';
import { LastOwner } from '../auth.errors.js';
import { PasswordsService } from '../passwords.service.js';
import type { UserPrincipal } from '../principal.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import type { CreateUserRequest } from './dto/create-user.request.js';
import type { UpdateUserRequest } from './dto/update-user.request.js';
import { refuseAbove } from './refuse-above.js';
import { UsersRepository, type UserRow } from './users.repository.js';

/** Manages users. A caller can neither grant a role above its own nor change a user above itself (contract §2.2). */
@Injectable()
export class UsersService {
  constructor(
    private readonly users: UsersRepository,
    private readonly sessions: SessionsRepository,
    private readonly passwords: PasswordsService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  list(page: PageRequest): Promise<Page<UserRow>> {
    return this.users.list(page);
  }

  async get(id: string): Promise<UserRow> {
    const user = isUuid(id) ? await this.users.findById(id) : null;
    if (!user) throw new NotFound();
    return user;
  }

  async create(caller: UserPrincipal, request: CreateUserRequest): Promise<UserRow> {
    refuseAbove(caller, request.role);
    const passwordHash = request.password === undefined ? null : await this.passwords.hash(request.password);
    return this.transactions.run(async () => {
      const { email, name, role } = request;
      const user = await this.refusingTakenEmail(() =>
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
        this.users.update(user.id, { ...fields, ...secret, disabled }),
      );
      if (password !== undefined || changed.disabledAt) await this.sessions.deleteAllOf(user.id);
      await this.record(user, changed, password !== undefined);
      return changed;
    });
  }

  /** Changes the caller's own name and e-mail address, whatever the role. */
  async updateOwn(id: string, fields: { name?: string; email?: string }): Promise<UserRow> {
    return this.transactions.run(async () => {
      const user = await this.lock(id);
      const changed = await this.refusingTakenEmail(() => this.users.update(user.id, fields));
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
