import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Credential sets of installed servers (contract §3.5). The values that a server has become its set `default`, whose id
 * is the id of its server. So `server_credentials.server_id` is the id of a set from now on, the seals of stored values
 * stay valid, and the release before this one goes on with the set `default`. A trigger makes that set for each server,
 * whichever release installs it. A later release renames the column.
 *
 * `server_access.credential_set_id` is null for the set `default`. `tool_approvals.credential_set_id` is the set with
 * which a person was asked to approve a call.
 */
export class CredentialSets1764010001000 implements MigrationInterface {
  name = 'CredentialSets1764010001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE credential_sets (
        id            uuid CONSTRAINT credential_sets_pk PRIMARY KEY,
        server_id     uuid NOT NULL CONSTRAINT credential_sets_server_fk REFERENCES installed_servers ON DELETE CASCADE,
        name          text NOT NULL,
        status        text NOT NULL DEFAULT 'ready'
                      CONSTRAINT credential_sets_status_known CHECK (status IN ('ready', 'error', 'revoked')),
        status_reason text,
        revision      integer NOT NULL DEFAULT 1,
        created_at    timestamptz(3) NOT NULL DEFAULT now(),
        updated_at    timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT credential_sets_name_unique UNIQUE (server_id, name),
        CONSTRAINT credential_sets_of_server UNIQUE (server_id, id),
        CONSTRAINT credential_sets_default_id CHECK ((id = server_id) = (name = 'default'))
      )`);
    await runner.query(
      `INSERT INTO credential_sets (id, server_id, name) SELECT id, id, 'default' FROM installed_servers`,
    );
    await runner.query(`
      CREATE FUNCTION make_default_credential_set() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO credential_sets (id, server_id, name) VALUES (NEW.id, NEW.id, 'default');
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER installed_servers_have_default_set AFTER INSERT ON installed_servers
      FOR EACH ROW EXECUTE FUNCTION make_default_credential_set()`);
    await runner.query(`
      ALTER TABLE server_credentials
        DROP CONSTRAINT server_credentials_server_fk,
        ADD CONSTRAINT server_credentials_server_fk
          FOREIGN KEY (server_id) REFERENCES credential_sets (id) ON DELETE CASCADE`);
    await runner.query(`
      ALTER TABLE server_access
        ADD credential_set_id uuid,
        ADD CONSTRAINT server_access_credential_set_fk
          FOREIGN KEY (server_id, credential_set_id) REFERENCES credential_sets (server_id, id)`);
    await runner.query(`
      CREATE INDEX server_access_credential_set ON server_access (server_id, credential_set_id)
      WHERE credential_set_id IS NOT NULL`);
    await runner.query(`ALTER TABLE tool_approvals ADD credential_set_id uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tool_approvals DROP credential_set_id`);
    await runner.query(`ALTER TABLE server_access DROP credential_set_id`);
    await runner.query(`DELETE FROM credential_sets WHERE id <> server_id`);
    await runner.query(`
      ALTER TABLE server_credentials
        DROP CONSTRAINT server_credentials_server_fk,
        ADD CONSTRAINT server_credentials_server_fk
          FOREIGN KEY (server_id) REFERENCES installed_servers (id) ON DELETE CASCADE`);
    await runner.query(`DROP TRIGGER installed_servers_have_default_set ON installed_servers`);
    await runner.query(`DROP FUNCTION make_default_credential_set`);
    await runner.query(`DROP TABLE credential_sets`);
  }
}
