import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which worker of the agent holds a lease, and what that worker has received of the issue: the fingerprint of its brief,
 * with which a later one is compared. `worker` is null for a lease that no named worker has to hear of any more.
 */
export class LeaseWorkers1763700092000 implements MigrationInterface {
  name = 'LeaseWorkers1763700092000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE issue_leases ADD worker text, ADD heard jsonb`);
    await runner.query(
      `CREATE INDEX issue_leases_of_worker ON issue_leases (agent_id, worker) WHERE worker IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX issue_leases_of_worker`);
    await runner.query(`ALTER TABLE issue_leases DROP worker, DROP heard`);
  }
}
