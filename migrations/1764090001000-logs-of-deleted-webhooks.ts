import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * When a webhook was deleted whose log is still being removed. The release before this one leaves it empty, and shows such a webhook
 * as a disabled one.
 */
export class LogsOfDeletedWebhooks1764090001000 implements MigrationInterface {
  name = 'LogsOfDeletedWebhooks1764090001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks ADD COLUMN deleted_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM webhooks WHERE deleted_at IS NOT NULL');
    await runner.query('ALTER TABLE webhooks DROP COLUMN deleted_at');
  }
}
