import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Since when an issue has its status. For the issues that exist, the journal knows; an issue that never changed has its
 * status since it was created. A trigger keeps the column, so that the release before this one, which does not know it,
 * leaves no wrong time behind. The index serves the lists of issues without an assignee.
 */
export class IssueStatusSince1763830001000 implements MigrationInterface {
  name = 'IssueStatusSince1763830001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE issues ADD status_since timestamptz(3) NOT NULL DEFAULT now()`);
    await runner.query(`
      UPDATE issues i SET status_since = coalesce(
        (SELECT j.created_at FROM journal j WHERE j.issue_id = i.id AND j.type = 'issue.status_changed'
         ORDER BY j.position DESC LIMIT 1), i.created_at)`);
    await runner.query(`
      CREATE FUNCTION keep_issue_status_since() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.status_since := now();
        RETURN NEW;
      END $$`);
    await runner.query(`
      CREATE TRIGGER issue_status_since_kept BEFORE UPDATE OF status ON issues
      FOR EACH ROW WHEN (OLD.status IS DISTINCT FROM NEW.status) EXECUTE FUNCTION keep_issue_status_since()`);
    await runner.query(`
      CREATE INDEX issues_unassigned ON issues (status, created_at, id, project_id)
      WHERE assigned_agent_id IS NULL AND assignee_user_id IS NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX issues_unassigned`);
    await runner.query(`DROP TRIGGER issue_status_since_kept ON issues`);
    await runner.query(`DROP FUNCTION keep_issue_status_since`);
    await runner.query(`ALTER TABLE issues DROP status_since`);
  }
}
