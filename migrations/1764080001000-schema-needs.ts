import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the schema needs of the versions that run on it: a migration after which earlier versions cannot work writes the first
 * one that can, such as `INSERT INTO schema_needs (migration, version) VALUES ('RenamedKeys1764090001000', '0.9.0')`. The
 * start of an earlier version then refuses the database and names that version (contract §8.6). No row: every version that
 * reads this table may run.
 */
export class SchemaNeeds1764080001000 implements MigrationInterface {
  name = 'SchemaNeeds1764080001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE schema_needs (
        migration text CONSTRAINT schema_needs_pk PRIMARY KEY,
        version text NOT NULL CONSTRAINT schema_needs_version_form CHECK (version ~ '^\\d+\\.\\d+\\.\\d+$')
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE schema_needs');
  }
}
