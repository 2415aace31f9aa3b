import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a chore last succeeded, and how often it has failed since. The backups of `npm run backup` have a row of their own.
 * What ran before counts as a success. The release before this one writes neither. It left deliveries of disabled webhooks
 * pending for ever, which an alert of waiting deliveries would count.
 */
export class EndsOfChores1764070001000 implements MigrationInterface {
  name = 'EndsOfChores1764070001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE chores
        ADD COLUMN succeeded_at timestamptz(3),
        ADD COLUMN failures integer NOT NULL DEFAULT 0`);
    await runner.query('UPDATE chores SET succeeded_at = ran_at');
    await runner.query(`
      UPDATE webhook_deliveries SET status = 'failed', next_attempt_at = NULL
      WHERE status = 'pending' AND webhook_id IN (SELECT id FROM webhooks WHERE disabled)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM chores WHERE name = 'backup'`);
    await runner.query('ALTER TABLE chores DROP COLUMN succeeded_at, DROP COLUMN failures');
  }
}
