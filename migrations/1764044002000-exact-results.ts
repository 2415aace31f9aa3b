import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `result_exact` has the result of an approved call with the digits of its numbers, as json keeps them, where JavaScript
 * would change one. Null for every other result. `result` has the nearest numbers, for the release before this one.
 */
export class ExactResults1764044002000 implements MigrationInterface {
  name = 'ExactResults1764044002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE gates ADD COLUMN result_exact json`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE gates DROP COLUMN result_exact`);
  }
}
