import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A membership gets a primary key of its own, which its entity needs: of its two unique columns one is always null. The
 * release before this one leaves it to the default.
 */
export class KeyOfProjectMembers1764050001000 implements MigrationInterface {
  name = 'KeyOfProjectMembers1764050001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE project_members
        ADD COLUMN id uuid DEFAULT gen_random_uuid() CONSTRAINT project_members_pk PRIMARY KEY`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE project_members DROP COLUMN id`);
  }
}
