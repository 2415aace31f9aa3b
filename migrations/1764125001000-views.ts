import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Views of lists that people keep, alone or for their project (contract §5.2). A view that is shared needs a name that no
 * other shared view of the project has, any other one a name that its owner has not used yet.
 */
export class Views1764125001000 implements MigrationInterface {
  name = 'Views1764125001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE views (
        id         uuid CONSTRAINT views_pk PRIMARY KEY,
        project_id uuid NOT NULL CONSTRAINT views_project_fk REFERENCES projects ON DELETE CASCADE,
        owner_id   uuid NOT NULL CONSTRAINT views_owner_fk REFERENCES users ON DELETE CASCADE,
        name       text NOT NULL,
        query      text NOT NULL,
        shared     boolean NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX views_own_name_unique ON views (owner_id, project_id, lower(name)) WHERE NOT shared',
    );
    await runner.query(
      'CREATE UNIQUE INDEX views_shared_name_unique ON views (project_id, lower(name)) WHERE shared',
    );
    await runner.query('CREATE INDEX views_of_owner ON views (owner_id, project_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE views');
  }
}
