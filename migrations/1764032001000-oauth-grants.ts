import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sign-in at remote servers by authorization code (contract §3.7). The columns `sealed` hold JSON: registered clients,
 * sign-ins on their way, and the refresh token of a grant with all that a request for a token needs. `version` of a
 * grant changes with each of its refresh tokens, so a process that tried an older one cannot end a newer one.
 */
export class OauthGrants1764032001000 implements MigrationInterface {
  name = 'OauthGrants1764032001000';

  async up(runner: QueryRunner): Promise<void> {
    await replaceStatuses(runner, ['ready', 'error', 'revoked', 'sign_in_needed']);
    await runner.query(`
      CREATE TABLE oauth_clients (
        issuer       text NOT NULL,
        redirect_uri text NOT NULL,
        sealed       text NOT NULL,
        expires_at   timestamptz(3),
        created_at   timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT oauth_clients_pk PRIMARY KEY (issuer, redirect_uri)
      )`);
    await runner.query(`
      CREATE TABLE oauth_sign_ins (
        state_hash        bytea CONSTRAINT oauth_sign_ins_pk PRIMARY KEY,
        credential_set_id uuid NOT NULL CONSTRAINT oauth_sign_ins_set_fk REFERENCES credential_sets ON DELETE CASCADE,
        user_id           uuid NOT NULL CONSTRAINT oauth_sign_ins_user_fk REFERENCES users ON DELETE CASCADE,
        session_id        uuid CONSTRAINT oauth_sign_ins_session_fk REFERENCES sessions ON DELETE CASCADE,
        return_to         text NOT NULL,
        sealed            text NOT NULL,
        created_at        timestamptz(3) NOT NULL DEFAULT now(),
        used_at           timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX oauth_sign_ins_set ON oauth_sign_ins (credential_set_id, created_at)`);
    await runner.query(`CREATE INDEX oauth_sign_ins_created ON oauth_sign_ins (created_at)`);
    await runner.query(`CREATE INDEX oauth_sign_ins_user ON oauth_sign_ins (user_id)`);
    await runner.query(
      `CREATE INDEX oauth_sign_ins_session ON oauth_sign_ins (session_id) WHERE session_id IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE oauth_grants (
        credential_set_id uuid CONSTRAINT oauth_grants_pk PRIMARY KEY
                          CONSTRAINT oauth_grants_set_fk REFERENCES credential_sets ON DELETE CASCADE,
        version           uuid NOT NULL,
        issuer            text NOT NULL,
        scope             text,
        granted_by        uuid CONSTRAINT oauth_grants_user_fk REFERENCES users ON DELETE SET NULL,
        granted_at        timestamptz(3) NOT NULL DEFAULT now(),
        sealed            text NOT NULL
      )`);
    await runner.query(
      `CREATE INDEX oauth_grants_user ON oauth_grants (granted_by) WHERE granted_by IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE oauth_grants, oauth_sign_ins, oauth_clients`);
    await runner.query(`UPDATE credential_sets SET status = 'error' WHERE status = 'sign_in_needed'`);
    await replaceStatuses(runner, ['ready', 'error', 'revoked']);
  }
}

async function replaceStatuses(runner: QueryRunner, statuses: string[]): Promise<void> {
  const list = statuses.map((status) => `'${status}'`).join(', ');
  await runner.query(`
    ALTER TABLE credential_sets
      DROP CONSTRAINT credential_sets_status_known,
      ADD CONSTRAINT credential_sets_status_known CHECK (status IN (${list}))`);
}
