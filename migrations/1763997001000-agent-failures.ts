import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a worker of an agent reported with its heartbeat: that it takes no more work, and why (contract §7.1). */
export class AgentFailures1763997001000 implements MigrationInterface {
  name = 'AgentFailures1763997001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE agent_failures (
        agent_id uuid CONSTRAINT agent_failures_pk PRIMARY KEY
                 CONSTRAINT agent_failures_agent_fk REFERENCES agents ON DELETE CASCADE,
        worker   text NOT NULL,
        reason   text NOT NULL,
        since    timestamptz(3) NOT NULL DEFAULT now(),
        until    timestamptz(3) NOT NULL
      ) WITH (fillfactor = 70)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE agent_failures`);
  }
}
