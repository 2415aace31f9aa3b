import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `cancel_key` names the request of a session whose call waits for a person: the process that receives its
 * `notifications/cancelled` may be another one than the process that has the call. Null for a call outside of a session.
 */
export class CancelledCalls1764044001000 implements MigrationInterface {
  name = 'CancelledCalls1764044001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tool_approvals ADD COLUMN cancel_key text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tool_approvals DROP COLUMN cancel_key`);
  }
}
