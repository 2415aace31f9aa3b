import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Profiles (contract §3.6): access to several servers that several agents have together, and the refusals with which an
 * agent has a server in spite of its profiles. A refusal has a table of its own, because the release before this one
 * takes every row of `server_access` for a grant. `granted_at` and `added_at` say since when a right is as it is:
 * approvals that were asked for with another one do not hold.
 */
export class AccessProfiles1764030001000 implements MigrationInterface {
  name = 'AccessProfiles1764030001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE access_profiles (
        id         uuid CONSTRAINT access_profiles_pk PRIMARY KEY,
        name       text NOT NULL COLLATE "C" CONSTRAINT access_profiles_name_unique UNIQUE,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE access_profile_entries (
        profile_id        uuid NOT NULL CONSTRAINT access_profile_entries_profile_fk REFERENCES access_profiles ON DELETE CASCADE,
        server_id         uuid NOT NULL CONSTRAINT access_profile_entries_server_fk REFERENCES installed_servers ON DELETE CASCADE,
        tools             text[],
        ask               jsonb CONSTRAINT access_profile_entries_ask_known
                          CHECK (ask = '"writes"'::jsonb OR jsonb_typeof(ask) = 'array'),
        credential_set_id uuid,
        granted_at        timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT access_profile_entries_pk PRIMARY KEY (profile_id, server_id),
        CONSTRAINT access_profile_entries_credential_set_fk
          FOREIGN KEY (server_id, credential_set_id) REFERENCES credential_sets (server_id, id)
      )`);
    await runner.query(`CREATE INDEX access_profile_entries_server ON access_profile_entries (server_id)`);
    await runner.query(`
      CREATE TABLE access_profile_agents (
        agent_id   uuid NOT NULL CONSTRAINT access_profile_agents_agent_fk REFERENCES agents ON DELETE CASCADE,
        profile_id uuid NOT NULL CONSTRAINT access_profile_agents_profile_fk REFERENCES access_profiles ON DELETE CASCADE,
        added_at   timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT access_profile_agents_pk PRIMARY KEY (agent_id, profile_id)
      )`);
    await runner.query(`CREATE INDEX access_profile_agents_profile ON access_profile_agents (profile_id)`);
    await runner.query(`
      CREATE TABLE access_refusals (
        agent_id  uuid NOT NULL CONSTRAINT access_refusals_agent_fk REFERENCES agents ON DELETE CASCADE,
        server_id uuid NOT NULL CONSTRAINT access_refusals_server_fk REFERENCES installed_servers ON DELETE CASCADE,
        CONSTRAINT access_refusals_pk PRIMARY KEY (agent_id, server_id)
      )`);
    await runner.query(`CREATE INDEX access_refusals_server ON access_refusals (server_id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE access_refusals, access_profile_agents, access_profile_entries, access_profiles`,
    );
  }
}
