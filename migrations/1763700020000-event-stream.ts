import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who could see a project stays known after it is gone, so that its last events reach them and nobody else. A
 * trigger keeps it: it runs before the members fall with the project.
 */
export class EventStream1763700020000 implements MigrationInterface {
  name = 'EventStream1763700020000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE deleted_projects (
        id         uuid CONSTRAINT deleted_projects_pk PRIMARY KEY,
        visibility text NOT NULL CONSTRAINT deleted_projects_visibility_known CHECK (visibility IN ('open', 'members')),
        member_ids uuid[] NOT NULL,
        deleted_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE FUNCTION keep_deleted_project() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO deleted_projects (id, visibility, member_ids)
        VALUES (OLD.id, OLD.visibility, ARRAY(
          SELECT coalesce(user_id, agent_id) FROM project_members WHERE project_id = OLD.id));
        RETURN OLD;
      END $$`);
    await runner.query(`
      CREATE TRIGGER projects_keep_deleted BEFORE DELETE ON projects
      FOR EACH ROW EXECUTE FUNCTION keep_deleted_project()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER projects_keep_deleted ON projects`);
    await runner.query(`DROP FUNCTION keep_deleted_project`);
    await runner.query(`DROP TABLE deleted_projects`);
  }
}
