import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keeps the fields of a server's form in the server's order (contract §5.7): jsonb orders names by their length. */
export class OrderOfForms1763998001000 implements MigrationInterface {
  name = 'OrderOfForms1763998001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE gates ALTER COLUMN request TYPE json USING request::json`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE gates ALTER COLUMN request TYPE jsonb USING request::jsonb`);
  }
}
