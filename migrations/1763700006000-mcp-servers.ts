import type { MigrationInterface, QueryRunner } from 'typeorm';

export class McpServers1763700006000 implements MigrationInterface {
  name = 'McpServers1763700006000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE encryption_keys (
        id          text CONSTRAINT encryption_keys_pk PRIMARY KEY,
        check_value text NOT NULL,
        created_at  timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE installed_servers (
        id                uuid CONSTRAINT installed_servers_pk PRIMARY KEY,
        name              text NOT NULL CONSTRAINT installed_servers_name_unique UNIQUE,
        slug              text NOT NULL CONSTRAINT installed_servers_slug_unique UNIQUE
                          CONSTRAINT installed_servers_slug_form CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(slug) <= 16),
        catalog_id        text NOT NULL,
        entry             jsonb NOT NULL,
        status            text NOT NULL CONSTRAINT installed_servers_status_known CHECK (status IN ('enabled', 'disabled', 'error')),
        status_reason     text,
        last_verification jsonb,
        era_verdict       jsonb,
        tools_listed_at   timestamptz(3),
        revision          integer NOT NULL DEFAULT 1,
        created_at        timestamptz(3) NOT NULL DEFAULT now(),
        updated_at        timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE server_credentials (
        server_id uuid NOT NULL CONSTRAINT server_credentials_server_fk REFERENCES installed_servers ON DELETE CASCADE,
        name      text NOT NULL,
        sealed    text NOT NULL,
        CONSTRAINT server_credentials_pk PRIMARY KEY (server_id, name)
      )`);
    await runner.query(`
      CREATE TABLE server_tools (
        server_id     uuid NOT NULL CONSTRAINT server_tools_server_fk REFERENCES installed_servers ON DELETE CASCADE,
        name          text NOT NULL COLLATE "C",
        definition    jsonb NOT NULL,
        hash          text NOT NULL,
        approved_hash text,
        approved_by   jsonb,
        present       boolean NOT NULL DEFAULT true,
        first_seen_at timestamptz(3) NOT NULL DEFAULT now(),
        changed_at    timestamptz(3),
        CONSTRAINT server_tools_pk PRIMARY KEY (server_id, name)
      )`);
    await runner.query(`
      CREATE TABLE server_access (
        server_id  uuid NOT NULL CONSTRAINT server_access_server_fk REFERENCES installed_servers ON DELETE CASCADE,
        agent_id   uuid NOT NULL CONSTRAINT server_access_agent_fk REFERENCES agents ON DELETE CASCADE,
        tools      text[],
        granted_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT server_access_pk PRIMARY KEY (server_id, agent_id)
      )`);
    await runner.query(`CREATE INDEX server_access_agent ON server_access (agent_id)`);
    await runner.query(`
      CREATE TABLE tool_calls (
        id             uuid CONSTRAINT tool_calls_pk PRIMARY KEY,
        called_at      timestamptz(3) NOT NULL,
        agent_id       uuid,
        user_id        uuid,
        issue_id       uuid,
        server_id      uuid NOT NULL,
        server_name    text NOT NULL,
        tool           text NOT NULL,
        argument_shape jsonb NOT NULL,
        result         text NOT NULL CONSTRAINT tool_calls_result_known CHECK (result IN ('ok', 'tool_error', 'refused', 'failed')),
        duration_ms    integer NOT NULL
      )`);
    await runner.query(`CREATE INDEX tool_calls_by_time ON tool_calls (called_at)`);
    await runner.query(`CREATE INDEX tool_calls_of_agent ON tool_calls (agent_id, called_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE tool_calls, server_access, server_tools, server_credentials, installed_servers, encryption_keys`);
  }
}
