import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { Any, DataSource, Not, Repository } from 'typeorm';
import { AccessProfile, AccessProfileAgent, AccessProfileEntry } from './access.entities.js';

/** The access to one server that a profile gives. */
export interface ProfileEntry extends Pick<AccessProfileEntry, 'serverId' | 'tools' | 'ask'> {
  /** The name of the credential set. */
  credentialSet: string;
}

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
