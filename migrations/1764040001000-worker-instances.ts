import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which process works under the name of a worker (contract §7.1). `superseded` has the newest processes that it took the
 * name from. `taken_over` of a lease has the tokens that such a process held.
 */
export class WorkerInstances1764040001000 implements MigrationInterface {
  name = 'WorkerInstances1764040001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE worker_instances (
        agent_id   uuid NOT NULL CONSTRAINT worker_instances_agent_fk REFERENCES agents ON DELETE CASCADE,
        worker     text NOT NULL,
        instance   text NOT NULL,
        since      timestamptz(3) NOT NULL DEFAULT now(),
        seen_at    timestamptz(3) NOT NULL DEFAULT now(),
        superseded text[] NOT NULL DEFAULT '{}',
        CONSTRAINT worker_instances_pk PRIMARY KEY (agent_id, worker)
      )`);
    await runner.query(`ALTER TABLE issue_leases ADD taken_over bigint[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE issue_leases DROP taken_over`);
    await runner.query(`DROP TABLE worker_instances`);
  }
}
