import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * An agent whose access to a members-only project ends loses its leases there. As with the other ends of a lease, no call
 * begins after that commit: these triggers take the locks that a call holds while it begins.
 */
export class CallsOfMembers1763990001000 implements MigrationInterface {
  name = 'CallsOfMembers1763990001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TRIGGER project_members_stop_new_calls BEFORE DELETE ON project_members
      FOR EACH ROW WHEN (OLD.agent_id IS NOT NULL)
      EXECUTE FUNCTION stop_new_calls('calls of agent ', 'agent_id')`);
    await runner.query(`
      CREATE TRIGGER projects_stop_new_calls BEFORE UPDATE OF visibility ON projects
      FOR EACH ROW WHEN (OLD.visibility = 'open' AND NEW.visibility <> 'open')
      EXECUTE FUNCTION stop_new_calls('calls of all agents', '')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER projects_stop_new_calls ON projects`);
    await runner.query(`DROP TRIGGER project_members_stop_new_calls ON project_members`);
  }
}
