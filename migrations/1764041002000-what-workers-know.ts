import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What workers know of an issue beyond its present lease (contract §7.1, §7.2):
 *
 * - `ended_as` is what ended a lease that the agent may get back, so that a pause is reported as one after it is over.
 * - `issue_leases_before` has what an agent has received of an issue that another agent took after it.
 * - `deleted_leases` are the leases of deleted issues that their workers have not heard of, for a day.
 * - `handed_in` is an issue that waits although its work is finished: it goes to a review when nothing blocks it.
 */
export class WhatWorkersKnow1764041002000 implements MigrationInterface {
  name = 'WhatWorkersKnow1764041002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE issue_leases ADD COLUMN ended_as text`);
    await runner.query(`ALTER TABLE issues ADD COLUMN handed_in boolean NOT NULL DEFAULT false`);
    await runner.query(`
      CREATE TABLE issue_leases_before (
        issue_id uuid CONSTRAINT issue_leases_before_issue_fk REFERENCES issues ON DELETE CASCADE,
        agent_id uuid CONSTRAINT issue_leases_before_agent_fk REFERENCES agents ON DELETE CASCADE,
        told_of  pg_snapshot,
        heard    jsonb,
        CONSTRAINT issue_leases_before_pk PRIMARY KEY (issue_id, agent_id)
      )`);
    await runner.query(`
      CREATE TABLE deleted_leases (
        issue_id   uuid CONSTRAINT deleted_leases_pk PRIMARY KEY,
        agent_id   uuid NOT NULL CONSTRAINT deleted_leases_agent_fk REFERENCES agents ON DELETE CASCADE,
        worker     text NOT NULL,
        token      bigint NOT NULL,
        deleted_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX deleted_leases_of_worker ON deleted_leases (agent_id, worker)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE deleted_leases, issue_leases_before`);
    await runner.query(`ALTER TABLE issues DROP COLUMN handed_in`);
    await runner.query(`ALTER TABLE issue_leases DROP COLUMN ended_as`);
  }
}
