import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The text of a tool that was approved last, kept when the tool changes, so that a person can compare the two. The release
 * before this one leaves the column as it is; a text whose hash is not the approved one is not shown.
 */
export class ApprovedTools1763830002000 implements MigrationInterface {
  name = 'ApprovedTools1763830002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE server_tools ADD approved_definition jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE server_tools DROP approved_definition`);
  }
}
