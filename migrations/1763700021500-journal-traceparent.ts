import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace in which something happened goes on with the webhooks that tell of it. */
export class JournalTraceparent1763700021500 implements MigrationInterface {
  name = 'JournalTraceparent1763700021500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE journal ADD COLUMN traceparent text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE journal DROP COLUMN traceparent`);
  }
}
