import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { isEmail } from 'class-validator';
import { Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { User } from '../authentication/authentication.entities.js';
import type { Role } from '../authentication/principals-and-roles.js';
import { UserRepository, type UserRow } from '../authentication/user.repository.js';
import { Settings } from '../config/settings.js';
import { isUniqueViolation } from '../database/postgres-errors.js';
import { TryAgain } from '../database/transactions.service.js';
import { textError } from '../http/text-and-instant-rules.js';
import { JournalService, SYSTEM } from '../journal/journal.service.js';
import type { Person } from './oidc-provider.client.js';
import { UserIdentity } from './oidc.entities.js';
import { type Claims, roleOfClaims } from './role-of-claims.js';
import { SignInRefused } from './sign-in-refusal-reasons.js';

const NAME_LENGTH = 200;
const EMAIL_LENGTH = 254;

/** Finds or creates the user whom a person at the provider is, and gives the role of the claims (contract §2.9). */
@Injectable()
export class OidcUsersService {
  constructor(
    private readonly settings: Settings,
    @InjectRepository(User) private readonly users: UserRepository,
    @InjectRepository(UserIdentity) private readonly identities: Repository<UserIdentity>,
    private readonly journal: JournalService,
  ) {}

  /**
   * Returns the user with the row locked. It runs in the transaction of the sign-in.
   * @throws {SignInRefused} when the person has no role, is disabled here, or cannot become a user
   */
  async userOf(person: Person): Promise<UserRow> {
    const role = roleOfClaims(person.claims, this.settings.oidc!);
    const { issuer, subject } = person;
    const identity = await this.identities.findOneBy({ issuer, subject });
    if (!identity) return this.create(person, role);
    const { userId } = identity;
    const seen = await this.users.findOneBy({ id: userId });
    const losesOwner = seen?.role === 'Owner' && this.givesRoles && role !== 'Owner';
    const user = await (losesOwner ? this.users.lockOwnersAnd(userId) : this.users.lockOne(userId));
    if (!user) throw new TryAgain();
    if (user.disabledAt) throw new SignInRefused('disabled');
    if (!this.givesRoles) return user;
    if (role === null) throw new SignInRefused('no_role');
    if (user.role === 'Owner' && role !== 'Owner' && !losesOwner) throw new TryAgain();
    return this.give(user, role);
  }

  /** Whether the provider decides about roles at each sign-in; otherwise an Admin does, after the first one. */
  private get givesRoles(): boolean {
    return this.settings.oidc!.roleClaim !== null;
  }

  /** The last Owner who can sign in keeps the role, because no one could give it to another user any more. */
  private async give(user: UserRow, role: Role): Promise<UserRow> {
    if (user.role === role) return user;
    const subject = { type: 'user', id: user.id };
    if (user.role === 'Owner' && !(await this.users.hasOtherOwner(user.id))) {
      await this.journal.record({
        type: 'user.role_kept',
        subject,
        actor: SYSTEM,
        data: { role: user.role, mapped: role },
      });
      return user;
    }
    const data = { role: { old: user.role, new: role }, by: 'oidc' };
    await this.journal.record({ type: 'user.updated', subject, actor: SYSTEM, data });
    return this.users.change(user.id, { role });
  }

  private async create(person: Person, role: Role | null): Promise<UserRow> {
    if (role === null) throw new SignInRefused('no_role');
    const email = emailIn(person.claims);
    if (email === null) throw new SignInRefused('no_email');
    // A person who controls an address at the provider must not get the user of that address here. An Owner joins the two.
    if (await this.users.findForLogin(email)) throw new SignInRefused('email_taken');
    try {
      const name = nameIn(person.claims) ?? email.slice(0, email.indexOf('@'));
      const user = await this.users.add({ id: uuidv7(), email, name, role, passwordHash: null });
      const { issuer, subject } = person;
      await this.identities.insert({ issuer, subject, userId: user.id });
      await this.journal.record({
        type: 'user.created',
        subject: { type: 'user', id: user.id },
        actor: SYSTEM,
        data: { email, role, issuer, subject },
      });
      return user;
    } catch (error) {
      // Another sign-in has created the user, or somebody the address: the next attempt sees which.
      const isTaken = ['users_email_unique', 'user_identities_pk'].some((name) =>
        isUniqueViolation(error, name),
      );
      throw isTaken ? new TryAgain() : error;
    }
  }
}

/** An address that the provider itself calls unverified is not taken: it could be anybody's. */
function emailIn(claims: Claims): string | null {
  const { email, email_verified: verified } = claims;
  if (typeof email !== 'string' || email.length > EMAIL_LENGTH || !isEmail(email)) return null;
  return verified === false || verified === 'false' ? null : email;
}

function nameIn({ name }: Claims): string | null {
  if (typeof name !== 'string' || textError(name) !== null) return null;
  return Array.from(name.trim()).slice(0, NAME_LENGTH).join('') || null;
}
