import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whether agents may assign the issues that they create in a project to any agent, or to themselves only. */
export class AgentsMayAssign1763940002000 implements MigrationInterface {
  name = 'AgentsMayAssign1763940002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE projects ADD agents_may_assign text NOT NULL DEFAULT 'any'
      CONSTRAINT projects_agents_may_assign CHECK (agents_may_assign IN ('any', 'self'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE projects DROP agents_may_assign`);
  }
}
