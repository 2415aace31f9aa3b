import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Session, User } from '../authentication/authentication.entities.js';
import { LastOwner } from '../authentication/authentication.errors.js';
import { UserRepository } from '../authentication/user.repository.js';
import { Settings } from '../config/settings.js';
import { isUniqueViolation } from '../database/postgres-errors.js';
import { TransactionsService } from '../database/transactions.service.js';
import { NotFound, Problem } from '../http/problem.js';
import { JournalService } from '../journal/journal.service.js';
import { UsersService } from '../users/users-profiles-sessions.service.js';
import { type Identity, UserIdentity } from './oidc.entities.js';

/** Joins a user with a person at the OpenID provider, and separates the two (contract §2.9). */
@Injectable()
export class UserIdentityService {
  constructor(
    private readonly settings: Settings,
    private readonly users: UsersService,
    @InjectRepository(User) private readonly locks: UserRepository,
    @InjectRepository(UserIdentity) private readonly identities: Repository<UserIdentity>,
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** Returns the person of a user at the configured provider; the subject is null where there is none. */
  async get(userId: string): Promise<{ issuer: string; subject: string | null }> {
    const issuer = this.issuer();
    const { id } = await this.users.get(userId);
    const identity = await this.identities.findOneBy({ userId: id, issuer });
    return { issuer, subject: identity?.subject ?? null };
  }

  /** Replaces the person of a user and ends the user's sessions. @throws {Problem} name_taken when the person is another user */
  async set(userId: string, subject: string): Promise<Identity> {
    const identity = { issuer: this.issuer(), subject };
    const { id } = await this.users.get(userId);
    try {
      await this.transactions.run(async () => {
        await this.locks.lockOne(id);
        await this.identities.delete({ userId: id, issuer: identity.issuer });
        await this.identities.insert({ ...identity, userId: id });
        await this.sessions.delete({ userId: id });
        const data = { ...identity };
        await this.journal.record({ type: 'user.identity_set', subject: { type: 'user', id }, data });
      });
    } catch (error) {
      if (isUniqueViolation(error, 'user_identities_pk'))
        throw new Problem(
          'name_taken',
          'Another user is this person at the OpenID provider. Separate the two first.',
        );
      throw error;
    }
    return identity;
  }

  /** Separates a user from the person and ends the user's sessions. */
  async remove(userId: string): Promise<void> {
    const issuer = this.issuer();
    const { id } = await this.users.get(userId);
    await this.transactions.run(async () => {
      const user = await this.locks.lockOwnersAnd(id);
      const separated = this.identities.createQueryBuilder().delete().where({ userId: id, issuer });
      const { raw } = await separated.returning('subject').execute();
      const [person] = raw as Pick<Identity, 'subject'>[];
      if (!user || !person) throw new NotFound();
      const isOwner = user.role === 'Owner' && !user.disabledAt;
      if (isOwner && !(await this.locks.hasOtherOwner(id))) throw new LastOwner();
      await this.sessions.delete({ userId: id });
      const data = { issuer, subject: person.subject };
      await this.journal.record({ type: 'user.identity_removed', subject: { type: 'user', id }, data });
    });
  }

  /** @throws {NotFound} when no provider is configured */
  private issuer(): string {
    if (this.settings.oidc === null) throw new NotFound();
    return this.settings.oidc.issuer;
  }
}
