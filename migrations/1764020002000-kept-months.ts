import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is no longer in the database. `archived_months` has the archive of each month of each table, with the bounds of
 * its partition; `restored_at` while the rows are back. `journal_pruned` is the last position that was deleted, and the
 * time of its row: no reader can go on before it.
 */
export class KeptMonths1764020002000 implements MigrationInterface {
  name = 'KeptMonths1764020002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE archived_months (
        table_name  text NOT NULL,
        month       text NOT NULL,
        from_bound  text NOT NULL,
        to_bound    text NOT NULL,
        rows        bigint NOT NULL,
        sha256      text NOT NULL,
        archived_at timestamptz(3) NOT NULL DEFAULT now(),
        dropped_at  timestamptz(3),
        restored_at timestamptz(3),
        CONSTRAINT archived_months_pk PRIMARY KEY (table_name, month)
      )`);
    await runner.query(`
      CREATE TABLE journal_pruned (
        only_row boolean NOT NULL DEFAULT true CONSTRAINT journal_pruned_pk PRIMARY KEY
                 CONSTRAINT journal_pruned_one_row CHECK (only_row),
        position bigint NOT NULL DEFAULT 0,
        until    timestamptz(3)
      )`);
    await runner.query(`INSERT INTO journal_pruned DEFAULT VALUES`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE journal_pruned, archived_months`);
  }
}
