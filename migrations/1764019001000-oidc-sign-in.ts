import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sign-in of people by OpenID Connect (contract §2.9). */
export class OidcSignIn1764019001000 implements MigrationInterface {
  name = 'OidcSignIn1764019001000';

  async up(runner: QueryRunner): Promise<void> {
    // An identity is the subject at its issuer, never the e-mail address, which a provider may give to somebody else.
    await runner.query(`
      CREATE TABLE user_identities (
        issuer     text NOT NULL,
        subject    text NOT NULL,
        user_id    uuid NOT NULL CONSTRAINT user_identities_user_fk REFERENCES users ON DELETE CASCADE,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT user_identities_pk PRIMARY KEY (issuer, subject),
        CONSTRAINT user_identities_of_user UNIQUE (user_id, issuer)
      )`);
    // The Owner of the first start keeps the password on loopback with PASSWORD_LOGIN=off.
    await runner.query(`ALTER TABLE users ADD COLUMN is_bootstrap boolean NOT NULL DEFAULT false`);
    await runner.query(`
      UPDATE users SET is_bootstrap = true WHERE id = (SELECT id FROM users ORDER BY created_at, id LIMIT 1)`);
    await runner.query(`
      ALTER TABLE sessions
        ADD COLUMN oidc_issuer text,
        ADD COLUMN oidc_sid text,
        ADD COLUMN confirmed_at timestamptz(3)`);
    await runner.query(
      `CREATE INDEX sessions_oidc_sid ON sessions (oidc_issuer, oidc_sid) WHERE oidc_sid IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE oidc_sign_ins (
        state_hash   bytea CONSTRAINT oidc_sign_ins_pk PRIMARY KEY,
        browser_hash bytea NOT NULL,
        return_to    text NOT NULL,
        session_id   uuid CONSTRAINT oidc_sign_ins_session_fk REFERENCES sessions ON DELETE CASCADE,
        created_at   timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX oidc_sign_ins_created ON oidc_sign_ins (created_at)`);
    await runner.query(
      `CREATE INDEX oidc_sign_ins_session ON oidc_sign_ins (session_id) WHERE session_id IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE oidc_logouts (
        issuer     text NOT NULL,
        token_id   text NOT NULL,
        subject    text,
        sid        text,
        issued_at  timestamptz(3) NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT oidc_logouts_pk PRIMARY KEY (issuer, token_id)
      )`);
    await runner.query(`CREATE INDEX oidc_logouts_created ON oidc_logouts (created_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE oidc_logouts, oidc_sign_ins, user_identities`);
    await runner.query(
      `ALTER TABLE sessions DROP COLUMN oidc_issuer, DROP COLUMN oidc_sid, DROP COLUMN confirmed_at`,
    );
    await runner.query(`ALTER TABLE users DROP COLUMN is_bootstrap`);
  }
}
