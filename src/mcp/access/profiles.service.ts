import { Injectable } from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { Any, DataSource, Not, Repository } from 'typeorm';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import { isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { refuseStale } from '../../platform/http/if-match-and-lease-token.js';
import { NotFound, Problem, ValidationFailed } from '../../platform/http/problem.js';
import type { EventType } from '../../platform/journal/event-types.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { agentErrors, type ProfileEntry, profileEntryErrors } from './access-entry-rules.js';
import { AccessProfile, AccessProfileAgent, AccessProfileEntry, ServerAccess } from './access.entities.js';
import { ServerAccessRepository } from './server-grants.repository.js';

/** A profile with its entries and agents. */
export interface ProfileRow extends AccessProfile {
  entries: ProfileEntry[];
  agentIds: string[];
}

/** An entry with the id of its credential set. */
export type StoredEntry = Omit<ProfileEntry, 'credentialSet'> & { credentialSetId: string };

const SELECT_PROFILE = `
  SELECT p.id, p.name, p.version, p.created_at AS "createdAt", p.updated_at AS "updatedAt",
    (SELECT coalesce(json_agg(json_build_object('serverId', e.server_id, 'tools', e.tools, 'ask', e.ask,
                       'credentialSet', cs.name) ORDER BY s.created_at, s.id), '[]')
     FROM access_profile_entries e JOIN installed_servers s ON s.id = e.server_id
     JOIN credential_sets cs ON cs.id = coalesce(e.credential_set_id, s.id) WHERE e.profile_id = p.id) AS entries,
    ARRAY(SELECT m.agent_id FROM access_profile_agents m WHERE m.profile_id = p.id ORDER BY m.agent_id) AS "agentIds"
  FROM access_profiles p`;

/** Beside what TypeORM gives, the statements about profiles that stay SQL (decision 0053). */
@Injectable()
export class AccessProfileRepository extends Repository<AccessProfile> {
  constructor(@InjectDataSource() source: DataSource) {
    super(AccessProfile, source.manager);
  }

  /** SQL: profiles with their entries and agents in one read, by name. */
  list(): Promise<ProfileRow[]> {
    return this.query(`${SELECT_PROFILE} ORDER BY p.name`);
  }

  /** SQL: a profile with its entries and agents in one read. */
  async read(id: string): Promise<ProfileRow | null> {
    const [profile] = await this.query<ProfileRow[]>(`${SELECT_PROFILE} WHERE p.id = $1`, [id]);
    return profile ?? null;
  }

  /**
   * SQL: many rows at once. Replaces the entries. An entry that stays as it is keeps its time, and with it the approvals
   * that hold.
   */
  async setEntries(id: string, entries: StoredEntry[]): Promise<void> {
    const serverId = Not(Any(entries.map((entry) => entry.serverId)));
    await this.manager.delete(AccessProfileEntry, { profileId: id, serverId });
    await this.query(
      `INSERT INTO access_profile_entries AS e (profile_id, server_id, tools, ask, credential_set_id)
       SELECT $1, "serverId", CASE WHEN tools IS NOT NULL THEN ARRAY(SELECT json_array_elements_text(tools)) END, ask,
              nullif("credentialSetId", "serverId")
       FROM json_to_recordset($2::json) AS given ("serverId" uuid, tools json, ask jsonb, "credentialSetId" uuid) ORDER BY 2
       ON CONFLICT (profile_id, server_id) DO UPDATE
       SET tools = excluded.tools, ask = excluded.ask, credential_set_id = excluded.credential_set_id, granted_at = now()
       WHERE (e.tools, e.ask, e.credential_set_id)
             IS DISTINCT FROM (excluded.tools, excluded.ask, excluded.credential_set_id)`,
      [id, JSON.stringify(entries)],
    );
  }

  /** SQL: many rows at once. Replaces the agents; those that stay keep their time. */
  async setAgents(id: string, agentIds: string[]): Promise<void> {
    await this.manager.delete(AccessProfileAgent, { profileId: id, agentId: Not(Any(agentIds)) });
    await this.query(
      `INSERT INTO access_profile_agents (profile_id, agent_id)
       SELECT $1, given FROM unnest($2::uuid[]) AS given ORDER BY given ON CONFLICT DO NOTHING`,
      [id, agentIds],
    );
  }
}

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
