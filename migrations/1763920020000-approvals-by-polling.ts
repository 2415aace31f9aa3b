import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Approvals whose result an MCP client polls as a task (contract §5.7).
 *
 * - `has_caller`: whether a request waits for the decision. Without one, any process executes the call at the answer.
 * - `is_polled`: whether a client was given a task, so that the result is kept also where a caller received it.
 */
export class ApprovalsByPolling1763920020000 implements MigrationInterface {
  name = 'ApprovalsByPolling1763920020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tool_approvals
        ADD COLUMN has_caller boolean NOT NULL DEFAULT true,
        ADD COLUMN is_polled boolean NOT NULL DEFAULT false`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tool_approvals DROP COLUMN has_caller, DROP COLUMN is_polled`);
  }
}
