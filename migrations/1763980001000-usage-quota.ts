import type { MigrationInterface, QueryRunner } from 'typeorm';

const KIND =
  'ALTER TABLE agent_quotas DROP CONSTRAINT agent_quotas_kind, ADD CONSTRAINT agent_quotas_kind CHECK';

/** Counts usage reports per agent and hour beside comments and attachments. */
export class UsageQuota1763980001000 implements MigrationInterface {
  name = 'UsageQuota1763980001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`${KIND} (kind IN ('comments', 'attachments', 'usage reports'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DELETE FROM agent_quotas WHERE kind = 'usage reports'`);
    await runner.query(`${KIND} (kind IN ('comments', 'attachments'))`);
  }
}
