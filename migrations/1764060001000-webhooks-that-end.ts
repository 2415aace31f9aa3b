import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Why the service itself has disabled a webhook, and since when its address answers nothing but 404. The release before
 * this one leaves both empty.
 */
export class WebhooksThatEnd1764060001000 implements MigrationInterface {
  name = 'WebhooksThatEnd1764060001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhooks
        ADD COLUMN disabled_reason text
          CONSTRAINT webhooks_disabled_reason_known CHECK (disabled_reason IN ('gone', 'not_found')),
        ADD COLUMN not_found_since timestamptz(3)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhooks DROP COLUMN disabled_reason, DROP COLUMN not_found_since');
  }
}
