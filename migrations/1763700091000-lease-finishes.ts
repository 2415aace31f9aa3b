import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How the agent itself ended a lease, by the lease's token, so that the same request again returns the same response
 * instead of `lease_lost`. A finish by PUT stores no response: its repetition returns the issue as it is.
 */
export class LeaseFinishes1763700091000 implements MigrationInterface {
  name = 'LeaseFinishes1763700091000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE lease_finishes (
        issue_id uuid CONSTRAINT lease_finishes_issue_fk REFERENCES issues ON DELETE CASCADE,
        token    bigint,
        agent_id uuid NOT NULL CONSTRAINT lease_finishes_agent_fk REFERENCES agents ON DELETE CASCADE,
        outcome  text NOT NULL,
        request  text,
        response json,
        at       timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT lease_finishes_pk PRIMARY KEY (issue_id, token)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE lease_finishes`);
  }
}
