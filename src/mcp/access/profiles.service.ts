import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { refuseStale } from '../../platform/http/if-match-and-lease-token.js';
import { NotFound, Problem, ValidationFailed } from '../../platform/http/problem.js';
import type { EventType } from '../../platform/journal/event-types.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { AccessProfileRepository, type ProfileEntry, type ProfileRow } from './access-profile.repository.js';
import { AccessProfile, ServerAccess } from './access.entities.js';
import { agentErrors, profileEntryErrors } from './access-entry-rules.js';
import { ServerAccessRepository } from './server-access.repository.js';

/** A change of a profile; what is undefined stays. */
export interface ProfileChange {
  name?: string;
  entries?: ProfileEntry[];
  agentIds?: string[];
}

/** Keeps profiles (contract §3.6). A change takes effect when it is committed, as one of a grant does. */
@Injectable()
export class ProfilesService {
  constructor(
    @InjectRepository(AccessProfile) private readonly profiles: AccessProfileRepository,
    @InjectRepository(ServerAccess) private readonly access: ServerAccessRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  list(): Promise<ProfileRow[]> {
    return this.profiles.list();
  }

  async get(id: string): Promise<ProfileRow> {
    const profile = isUuid(id) ? await this.profiles.read(id) : null;
    if (!profile) throw new NotFound();
    return profile;
  }

  create({ name, entries = [], agentIds = [] }: ProfileChange & { name: string }): Promise<ProfileRow> {
    return this.transactions.run(async () => {
      const id = uuidv7();
      await this.named(name, () => this.profiles.insert({ id, name }));
      await this.apply(id, { entries, agentIds });
      await this.record('mcp.profile.created', id, { name, entries, agentIds });
      return this.get(id);
    });
  }

  /** @throws {VersionMismatch} when the profile is not as the caller read it */
  change(id: string, change: ProfileChange, ifMatch: string | undefined): Promise<ProfileRow> {
    return this.transactions.run(async () => {
      await this.lock(id, ifMatch);
      const { name } = change;
      const touched = { version: () => 'version + 1', updatedAt: () => 'now()' };
      await this.named(name, () =>
        this.profiles.update({ id }, name === undefined ? touched : { ...touched, name }),
      );
      await this.apply(id, change);
      const changed = await this.get(id);
      await this.record('mcp.profile.updated', id, { ...change, name: changed.name });
      return changed;
    });
  }

  async remove(id: string, ifMatch: string | undefined): Promise<void> {
    await this.transactions.run(async () => {
      await this.lock(id, ifMatch);
      const { name } = await this.get(id);
      await this.profiles.delete({ id });
      await this.record('mcp.profile.deleted', id, { name });
    });
  }

  private async lock(id: string, ifMatch: string | undefined): Promise<void> {
    const profile = isUuid(id)
      ? await this.profiles.findOne({
          select: { id: true, version: true },
          where: { id },
          lock: { mode: 'pessimistic_write' },
        })
      : null;
    if (!profile) throw new NotFound();
    refuseStale(ifMatch, 'profile', profile.version);
  }

  /** Holds agents and servers before it writes, in the order in which changes of grants do. */
  private async apply(id: string, { entries, agentIds }: ProfileChange): Promise<void> {
    const agents = await this.access.holdAgents((agentIds ?? []).filter((one) => isUuid(one)));
    const ids = (entries ?? []).map(({ serverId }) => serverId).filter((one) => isUuid(one));
    const servers = await this.access.holdServers([...new Set(ids)]);
    const errors = [...profileEntryErrors(entries ?? [], servers), ...agentErrors(agentIds ?? [], agents)];
    if (errors.length > 0) throw new ValidationFailed(errors);
    const setOf = ({ serverId, credentialSet }: ProfileEntry) =>
      servers.get(serverId)!.sets.get(credentialSet)!;
    if (entries)
      await this.profiles.setEntries(
        id,
        entries.map(({ credentialSet, ...entry }) => ({
          ...entry,
          credentialSetId: setOf({ ...entry, credentialSet }),
        })),
      );
    if (agentIds) await this.profiles.setAgents(id, agentIds);
  }

  private async named(name: string | undefined, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
    } catch (error) {
      if (name !== undefined && isUniqueViolation(error, 'access_profiles_name_unique'))
        throw new ProfileNameTaken(name);
      throw error;
    }
  }

  private async record(type: EventType, id: string, data: Record<string, unknown>): Promise<void> {
    await this.journal.record({ type, subject: { type: 'profile', id }, data });
  }
}

export class ProfileNameTaken extends Problem {
  constructor(name: string) {
    super('name_taken', `Another profile is called '${name}'; choose another name.`);
  }
}
