import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `position` is given out before commit, so a reader that has passed 10 may meet 9 later: readers stop below
 * the oldest running transaction, by `transaction_id` against `pg_snapshot_xmin`.
 */
export class Journal1763700001000 implements MigrationInterface {
  name = 'Journal1763700001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE journal (
        position       bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT journal_pk PRIMARY KEY,
        id             uuid NOT NULL CONSTRAINT journal_id_unique UNIQUE,
        transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
        created_at     timestamptz(3) NOT NULL DEFAULT now(),
        type           text NOT NULL,
        actor_type     text NOT NULL CONSTRAINT journal_actor_type_known CHECK (actor_type IN ('user', 'agent', 'system')),
        actor_id       uuid,
        actor_name     text NOT NULL,
        subject_type   text NOT NULL,
        subject_id     text,
        project_id     uuid,
        issue_id       uuid,
        data           jsonb NOT NULL DEFAULT '{}',
        request_id     text,
        origin         text
      )`);
    await runner.query(
      `CREATE INDEX journal_issue ON journal (issue_id, position) WHERE issue_id IS NOT NULL`,
    );
    await runner.query(`
      CREATE FUNCTION journal_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'the journal is append-only: % is refused', TG_OP USING ERRCODE = 'integrity_constraint_violation';
      END $$`);
    await runner.query(`
      CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal
      FOR EACH STATEMENT EXECUTE FUNCTION journal_is_append_only()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE journal`);
    await runner.query(`DROP FUNCTION journal_is_append_only`);
  }
}
