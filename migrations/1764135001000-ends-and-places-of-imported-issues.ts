import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the source of an imported issue says of it besides its fields (contract §5.12): of whose part it is, so that the next import leaves it
 * where a person has put it since, and how it ends, where it cannot end yet because the file ends what it blocks or is made of only later.
 */
export class EndsAndPlacesOfImportedIssues1764135001000 implements MigrationInterface {
  name = 'EndsAndPlacesOfImportedIssues1764135001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE imported_objects
        ADD COLUMN place text,
        ADD COLUMN late_line integer,
        ADD COLUMN late_status text,
        ADD CONSTRAINT imported_objects_late_whole CHECK ((late_line IS NULL) = (late_status IS NULL))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE imported_objects DROP COLUMN place, DROP COLUMN late_line, DROP COLUMN late_status`,
    );
  }
}
