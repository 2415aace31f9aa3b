import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Chores1763700011000 implements MigrationInterface {
  name = 'Chores1763700011000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE chores (
        name   text CONSTRAINT chores_pk PRIMARY KEY,
        ran_at timestamptz(3) NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE chores`);
  }
}
