import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Sub-issues (contract §5.9). A child that holds its parent is an edge of blocking like any link, a row of `issue_links`
 * that no list of links shows, so that everything that reads or moves the blocking graph covers children, also in a
 * process of the version before, which does not know parents. A trigger keeps that row from `parent_id` and
 * `holds_parent`, because a child that holds nothing, or an edge without a child, must not exist.
 *
 * `is_parent` says that an issue has, or had, children: it spares a list the look into an index for each issue without, and the
 * function the planning of that look in each list. It is never taken back, because a count of 0 is no harm.
 *
 * The trigger also keeps both issues in one project. A composite foreign key would need a unique index over
 * `(id, project_id)`, which every change of a status would have to write.
 */
export class ParentsOfIssues1764105001000 implements MigrationInterface {
  name = 'ParentsOfIssues1764105001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE issues
        ADD parent_id uuid CONSTRAINT issues_parent_fk REFERENCES issues ON DELETE SET NULL,
        ADD holds_parent boolean NOT NULL DEFAULT true,
        ADD is_parent boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT issues_parent_not_itself CHECK (parent_id <> id)`);
    await runner.query(`
      CREATE INDEX issues_of_parent ON issues (parent_id, status, created_at, id) WHERE parent_id IS NOT NULL`);
    await runner.query(`
      ALTER TABLE issue_links
        ADD of_child boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT issue_links_of_child_blocks CHECK (NOT of_child OR link_type = 'Blocks')`);
    await runner.query(
      `CREATE UNIQUE INDEX issue_links_of_child ON issue_links (source_issue_id) WHERE of_child`,
    );
    await runner.query(`
      CREATE FUNCTION keep_edge_to_parent() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.parent_id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM issues WHERE id = NEW.parent_id AND project_id = NEW.project_id)
        THEN
          RAISE foreign_key_violation USING
            MESSAGE = 'the parent of an issue is an issue of the same project',
            TABLE = 'issues', CONSTRAINT = 'issues_parent_of_same_project';
        END IF;
        UPDATE issues SET is_parent = true WHERE id = NEW.parent_id AND NOT is_parent;
        IF TG_OP = 'UPDATE' THEN
          DELETE FROM issue_links WHERE source_issue_id = NEW.id AND of_child;
        END IF;
        IF NEW.parent_id IS NOT NULL AND NEW.holds_parent THEN
          INSERT INTO issue_links (id, source_issue_id, target_issue_id, link_type, of_child, created_by_type, created_by_name)
          VALUES (gen_random_uuid(), NEW.id, NEW.parent_id, 'Blocks', true, 'system', 'system');
        END IF;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE FUNCTION children_of_issue(issue uuid) RETURNS json STABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
      BEGIN
        RETURN (
          SELECT json_build_object('total', count(*), 'resolved', count(*) FILTER (WHERE status IN ('Resolved', 'Closed')))
          FROM issues WHERE parent_id = issue);
      END $$`);
    await runner.query(`
      CREATE TRIGGER issue_edge_to_first_parent_kept AFTER INSERT ON issues
      FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL) EXECUTE FUNCTION keep_edge_to_parent()`);
    await runner.query(`
      CREATE TRIGGER issue_edge_to_parent_kept AFTER UPDATE OF parent_id, holds_parent ON issues
      FOR EACH ROW WHEN (OLD.parent_id IS DISTINCT FROM NEW.parent_id OR OLD.holds_parent <> NEW.holds_parent)
      EXECUTE FUNCTION keep_edge_to_parent()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER issue_edge_to_parent_kept ON issues`);
    await runner.query(`DROP TRIGGER issue_edge_to_first_parent_kept ON issues`);
    await runner.query(`DROP FUNCTION children_of_issue(uuid), keep_edge_to_parent()`);
    await runner.query(`DELETE FROM issue_links WHERE of_child`);
    await runner.query(`ALTER TABLE issue_links DROP of_child`);
    await runner.query(`DROP INDEX issues_of_parent`);
    await runner.query(`ALTER TABLE issues DROP parent_id, DROP holds_parent, DROP is_parent`);
  }
}
