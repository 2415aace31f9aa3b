import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Labels of projects and of issues (contract §5.8). `issues.label_count` spares a list the look into `issue_labels` for each issue
 * without a label, and keeps the limit of labels per issue. An earlier release neither reads nor writes it. The labels of an
 * issue are read by a function, whose plan a connection keeps: as a subquery they made each list 0.8 ms slower to plan.
 */
export class Labels1764100001000 implements MigrationInterface {
  name = 'Labels1764100001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE labels (
        id          uuid CONSTRAINT labels_pk PRIMARY KEY,
        project_id  uuid NOT NULL CONSTRAINT labels_project_fk REFERENCES projects ON DELETE CASCADE,
        name        text NOT NULL,
        color       text NOT NULL CONSTRAINT labels_color_known CHECK (color IN ('gray', 'brown', 'red', 'orange',
                      'yellow', 'green', 'teal', 'cyan', 'blue', 'violet', 'magenta', 'pink')),
        description text NOT NULL DEFAULT '',
        created_at  timestamptz(3) NOT NULL DEFAULT now(),
        updated_at  timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query('CREATE UNIQUE INDEX labels_name_unique ON labels (project_id, lower(name))');
    await runner.query('CREATE INDEX labels_by_name ON labels (lower(name))');
    await runner.query(`
      CREATE TABLE issue_labels (
        issue_id uuid NOT NULL CONSTRAINT issue_labels_issue_fk REFERENCES issues ON DELETE CASCADE,
        label_id uuid NOT NULL CONSTRAINT issue_labels_label_fk REFERENCES labels ON DELETE CASCADE,
        CONSTRAINT issue_labels_pk PRIMARY KEY (issue_id, label_id)
      )`);
    await runner.query('CREATE INDEX issue_labels_of_label ON issue_labels (label_id, issue_id)');
    await runner.query(`
      ALTER TABLE issues ADD COLUMN label_count smallint NOT NULL DEFAULT 0
        CONSTRAINT issues_label_count_range CHECK (label_count >= 0 AND label_count <= 50)`);
    await runner.query(`
      CREATE FUNCTION labels_of_issue(issue uuid) RETURNS json STABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
      BEGIN
        RETURN (
          SELECT json_agg(json_build_object('id', l.id, 'name', l.name, 'color', l.color) ORDER BY lower(l.name), l.id)
          FROM issue_labels has JOIN labels l ON l.id = has.label_id WHERE has.issue_id = issue);
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP FUNCTION labels_of_issue(uuid)');
    await runner.query('ALTER TABLE issues DROP COLUMN label_count');
    await runner.query('DROP TABLE issue_labels, labels');
  }
}
