import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The project that a repeatable request led to: its caller's role there is checked again before a replay. */
export class IdempotencyProjects1763840001001 implements MigrationInterface {
  name = 'IdempotencyProjects1763840001001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE idempotency_keys ADD project_id uuid`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE idempotency_keys DROP project_id`);
  }
}
