import type { MigrationInterface, QueryRunner } from 'typeorm';

export class UsersAgentsKeys1763700000000 implements MigrationInterface {
  name = 'UsersAgentsKeys1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE users (
        id            uuid CONSTRAINT users_pk PRIMARY KEY,
        email         text NOT NULL,
        name          text NOT NULL,
        role          text NOT NULL CONSTRAINT users_role_known CHECK (role IN ('Viewer', 'Editor', 'Admin', 'Owner')),
        password_hash text,
        disabled_at   timestamptz(3),
        created_at    timestamptz(3) NOT NULL DEFAULT now(),
        updated_at    timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE UNIQUE INDEX users_email_unique ON users (lower(email))`);
    await runner.query(`
      CREATE TABLE agents (
        id                    uuid CONSTRAINT agents_pk PRIMARY KEY,
        name                  text NOT NULL,
        description           text NOT NULL DEFAULT '',
        max_concurrent_issues integer NOT NULL DEFAULT 10
                              CONSTRAINT agents_max_concurrent_issues_range CHECK (max_concurrent_issues BETWEEN 1 AND 1000),
        disabled              boolean NOT NULL DEFAULT false,
        retired_at            timestamptz(3),
        last_heartbeat_at     timestamptz(3),
        created_at            timestamptz(3) NOT NULL DEFAULT now(),
        updated_at            timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE agent_halt (
        only_row   boolean NOT NULL DEFAULT true CONSTRAINT agent_halt_pk PRIMARY KEY
                   CONSTRAINT agent_halt_one_row CHECK (only_row),
        halted     boolean NOT NULL DEFAULT false,
        reason     text,
        changed_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`INSERT INTO agent_halt DEFAULT VALUES`);
    await runner.query(`
      CREATE TABLE api_keys (
        id           uuid CONSTRAINT api_keys_pk PRIMARY KEY,
        user_id      uuid CONSTRAINT api_keys_user_fk REFERENCES users ON DELETE CASCADE,
        agent_id     uuid CONSTRAINT api_keys_agent_fk REFERENCES agents ON DELETE CASCADE,
        name         text NOT NULL,
        prefix       text NOT NULL,
        hash         bytea NOT NULL CONSTRAINT api_keys_hash_unique UNIQUE,
        role         text CONSTRAINT api_keys_role_known CHECK (role IN ('Viewer', 'Editor', 'Admin', 'Owner')),
        expires_at   timestamptz(3),
        last_used_at timestamptz(3),
        created_at   timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT api_keys_one_owner CHECK (num_nonnulls(user_id, agent_id) = 1)
      )`);
    await runner.query(`CREATE INDEX api_keys_user ON api_keys (user_id) WHERE user_id IS NOT NULL`);
    await runner.query(`CREATE INDEX api_keys_agent ON api_keys (agent_id) WHERE agent_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE api_keys, agent_halt, agents, users`);
  }
}
