import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Access tokens of credential sets at authorization servers (contract §3.7). The token is sealed under the name
 * `token`. `process_revision` is the revision of the values with which it was requested. A process that requests a new
 * token holds `claim` until `claimed_until`, so that all processes together request one.
 */
export class OauthTokens1764031001000 implements MigrationInterface {
  name = 'OauthTokens1764031001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oauth_tokens (
        credential_set_id uuid NOT NULL CONSTRAINT oauth_tokens_set_fk REFERENCES credential_sets ON DELETE CASCADE,
        name              text NOT NULL DEFAULT 'token',
        sealed            text,
        token_id          uuid,
        process_revision  text,
        usable_until      timestamptz(3),
        claim             uuid,
        claimed_until     timestamptz(3),
        CONSTRAINT oauth_tokens_pk PRIMARY KEY (credential_set_id, name),
        CONSTRAINT oauth_tokens_token_whole
          CHECK (num_nulls(sealed, token_id, process_revision, usable_until) IN (0, 4)),
        CONSTRAINT oauth_tokens_claim_whole CHECK ((claim IS NULL) = (claimed_until IS NULL))
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE oauth_tokens`);
  }
}
