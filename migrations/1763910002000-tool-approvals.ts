import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tool calls that wait for the approval of a person, or were made after one (contract §5.7). `phase` says who executes a
 * call that is approved, and is changed with a condition on what it was, so that a call is executed once:
 *
 * - waiting: the process that has the caller's request, until `wait_until`;
 * - parked: no process yet, since no decision has come;
 * - approved: any process;
 * - executing: the process that renews `renewed_at`;
 * - done: no process any more.
 *
 * `gate_arguments` has the arguments of calls while they wait, sealed with the key ring.
 */
export class ToolApprovals1763910002000 implements MigrationInterface {
  name = 'ToolApprovals1763910002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tool_approvals (
        gate_id    uuid CONSTRAINT tool_approvals_pk PRIMARY KEY
                   CONSTRAINT tool_approvals_gate_fk REFERENCES gates ON DELETE CASCADE,
        agent_id   uuid NOT NULL,
        issue_id   uuid,
        server_id  uuid NOT NULL,
        tool       text NOT NULL,
        tool_hash  text NOT NULL,
        granted_at timestamptz(3) NOT NULL,
        phase      text NOT NULL DEFAULT 'waiting' CONSTRAINT tool_approvals_phase_known
                   CHECK (phase IN ('waiting', 'parked', 'approved', 'executing', 'done')),
        wait_until timestamptz(3) NOT NULL,
        renewed_at timestamptz(3)
      )`);
    // What every process looks for.
    await runner.query(`
      CREATE INDEX tool_approvals_active ON tool_approvals (phase)
      WHERE phase IN ('waiting', 'approved', 'executing')`);
    // Whether a tool was approved for a whole issue.
    await runner.query(`
      CREATE INDEX tool_approvals_of_issue ON tool_approvals (issue_id, agent_id, server_id, tool)
      WHERE issue_id IS NOT NULL`);
    // What an agent has not received of its gates without an issue.
    await runner.query(`
      CREATE INDEX gates_undelivered_alone ON gates (agent_id)
      WHERE issue_id IS NULL AND state <> 'open' AND delivered_at IS NULL`);
    await runner.query(`
      CREATE TABLE gate_arguments (
        gate_id uuid CONSTRAINT gate_arguments_pk PRIMARY KEY
                CONSTRAINT gate_arguments_gate_fk REFERENCES gates ON DELETE CASCADE,
        name    text NOT NULL DEFAULT 'arguments',
        sealed  text NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX gates_undelivered_alone`);
    await runner.query(`DROP TABLE gate_arguments, tool_approvals`);
  }
}
