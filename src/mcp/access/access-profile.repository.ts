import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../platform/database/database.service.js';
import type { AskedTools } from './server-access.repository.js';

/** The access to one server that a profile gives. */
export interface ProfileEntry {
  serverId: string;
  /** null: all approved tools. */
  tools: string[] | null;
  ask: AskedTools;
  /** The name of the credential set. */
  credentialSet: string;
}

/** Access to several servers that several agents have together (contract §3.6). */
export interface ProfileRow {
  id: string;
  name: string;
  /** Grows with each PUT. */
  version: number;
  entries: ProfileEntry[];
  agentIds: string[];
  createdAt: Date;
  updatedAt: Date;
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

@Injectable()
export class ProfilesRepository {
  constructor(private readonly database: DatabaseService) {}

  list(): Promise<ProfileRow[]> {
    return this.database.rows<ProfileRow>(`${SELECT_PROFILE} ORDER BY p.name`);
  }

  find(id: string): Promise<ProfileRow | null> {
    return this.database.row<ProfileRow>(`${SELECT_PROFILE} WHERE p.id = $1`, [id]);
  }

  /** Locks the profile until the transaction ends, and returns its version. */
  async lock(id: string): Promise<number | null> {
    const found = await this.database.row<{ version: number }>(
      'SELECT version FROM access_profiles WHERE id = $1 FOR UPDATE',
      [id],
    );
    return found && found.version;
  }

  async insert(id: string, name: string): Promise<void> {
    await this.database.change('INSERT INTO access_profiles (id, name) VALUES ($1, $2)', [id, name]);
  }

  /** Counts a change, also one of entries or agents. */
  async touch(id: string): Promise<void> {
    await this.database.change(
      'UPDATE access_profiles SET version = version + 1, updated_at = now() WHERE id = $1',
      [id],
    );
  }

  async rename(id: string, name: string): Promise<void> {
    await this.database.change('UPDATE access_profiles SET name = $2 WHERE id = $1', [id, name]);
  }

  /** Replaces the entries. An entry that stays as it is keeps its time, and with it the approvals that hold. */
  async setEntries(id: string, entries: StoredEntry[]): Promise<void> {
    await this.database.change(
      'DELETE FROM access_profile_entries WHERE profile_id = $1 AND server_id <> ALL ($2::uuid[])',
      [id, entries.map(({ serverId }) => serverId)],
    );
    await this.database.change(
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

  /** Replaces the agents; those that stay keep their time. */
  async setAgents(id: string, agentIds: string[]): Promise<void> {
    await this.database.change(
      'DELETE FROM access_profile_agents WHERE profile_id = $1 AND agent_id <> ALL ($2::uuid[])',
      [id, agentIds],
    );
    await this.database.change(
      `INSERT INTO access_profile_agents (profile_id, agent_id)
       SELECT $1, given FROM unnest($2::uuid[]) AS given ORDER BY given ON CONFLICT DO NOTHING`,
      [id, agentIds],
    );
  }

  async delete(id: string): Promise<void> {
    await this.database.change('DELETE FROM access_profiles WHERE id = $1', [id]);
  }
}
