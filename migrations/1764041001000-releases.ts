import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How often in a row the agent of `given_back_by` released an issue, since when, and why the last time (contract §7.2).
 * The index holds the few issues that a person has to look at.
 */
export class Releases1764041001000 implements MigrationInterface {
  name = 'Releases1764041001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE issues ADD COLUMN releases integer NOT NULL DEFAULT 0,
        ADD COLUMN released_since timestamptz(3), ADD COLUMN release_reason text`);
    await runner.query(`CREATE INDEX issues_released_often ON issues (id) WHERE releases >= 10`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX issues_released_often`);
    await runner.query(
      `ALTER TABLE issues DROP COLUMN releases, DROP COLUMN released_since, DROP COLUMN release_reason`,
    );
  }
}
