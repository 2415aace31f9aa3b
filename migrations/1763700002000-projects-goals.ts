import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ProjectsGoals1763700002000 implements MigrationInterface {
  name = 'ProjectsGoals1763700002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE projects (
        id                uuid CONSTRAINT projects_pk PRIMARY KEY,
        key               text NOT NULL CONSTRAINT projects_key_unique UNIQUE
                          CONSTRAINT projects_key_form CHECK (key ~ '^[A-Z][A-Z0-9]{1,9}$'),
        name              text NOT NULL,
        description       text NOT NULL DEFAULT '',
        visibility        text NOT NULL DEFAULT 'open'
                          CONSTRAINT projects_visibility_known CHECK (visibility IN ('open', 'members')),
        last_issue_number integer NOT NULL DEFAULT 0,
        created_at        timestamptz(3) NOT NULL DEFAULT now(),
        updated_at        timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE project_members (
        project_id uuid NOT NULL CONSTRAINT project_members_project_fk REFERENCES projects ON DELETE CASCADE,
        user_id    uuid CONSTRAINT project_members_user_fk REFERENCES users ON DELETE CASCADE,
        agent_id   uuid CONSTRAINT project_members_agent_fk REFERENCES agents ON DELETE CASCADE,
        role       text NOT NULL
                   CONSTRAINT project_members_role_known CHECK (role IN ('Viewer', 'Editor', 'Admin', 'Owner')),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT project_members_one_member CHECK (num_nonnulls(user_id, agent_id) = 1),
        CONSTRAINT project_members_user_unique UNIQUE (project_id, user_id),
        CONSTRAINT project_members_agent_unique UNIQUE (project_id, agent_id)
      )`);
    await runner.query(
      `CREATE INDEX project_members_user ON project_members (user_id) WHERE user_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX project_members_agent ON project_members (agent_id) WHERE agent_id IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE goals (
        id          uuid CONSTRAINT goals_pk PRIMARY KEY,
        project_id  uuid NOT NULL CONSTRAINT goals_project_fk REFERENCES projects ON DELETE CASCADE,
        title       text NOT NULL,
        description text NOT NULL DEFAULT '',
        created_at  timestamptz(3) NOT NULL DEFAULT now(),
        updated_at  timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT goals_id_and_project UNIQUE (id, project_id)
      )`);
    await runner.query(`CREATE INDEX goals_of_project ON goals (project_id, created_at, id)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE goals, project_members, projects`);
  }
}
