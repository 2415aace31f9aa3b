import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What housekeeping needs: from where a session was begun, which keys were warned of, and one index for each kind of row
 * that is deleted by age. The journal stays append-only, except for a transaction that sets `awp.journal_retention`,
 * which only the retention of the service does.
 */
export class Housekeeping1763860001000 implements MigrationInterface {
  name = 'Housekeeping1763860001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE sessions ADD address text, ADD user_agent text`);
    await runner.query(`CREATE INDEX sessions_by_age ON sessions (created_at)`);
    await runner.query(`ALTER TABLE api_keys ADD expiry_warned_at timestamptz(3)`);
    await runner.query(`
      CREATE INDEX api_keys_to_warn_of ON api_keys (expires_at)
      WHERE expiry_warned_at IS NULL AND session_id IS NULL`);
    await runner.query(`
      CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (created_at) WHERE status <> 'pending'`);
    await runner.query(
      `CREATE INDEX journal_of_no_issue ON journal (created_at, position) WHERE issue_id IS NULL`,
    );
    await runner.query(`
      CREATE OR REPLACE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND current_setting('awp.journal_retention', true) = 'on' THEN RETURN NULL; END IF;
        RAISE EXCEPTION 'the journal is append-only: % is refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE OR REPLACE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the journal is append-only: % is refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
      END $$`);
    await runner.query(
      `DROP INDEX journal_of_no_issue, webhook_deliveries_finished, api_keys_to_warn_of, sessions_by_age`,
    );
    await runner.query(`ALTER TABLE api_keys DROP expiry_warned_at`);
    await runner.query(`ALTER TABLE sessions DROP address, DROP user_agent`);
  }
}
