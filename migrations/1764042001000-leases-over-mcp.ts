import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Leases that were taken over MCP (contract §7.4): the token for which the other columns hold, so that a later lease of
 * the issue has nothing of them; how long it lasts; the session (a hash of its id) or the worker that took it; and
 * whether a later request has shown that the caller has the token.
 */
export class LeasesOverMcp1764042001000 implements MigrationInterface {
  name = 'LeasesOverMcp1764042001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE issue_leases ADD mcp_token bigint, ADD mcp_seconds integer, ADD mcp_session text, ADD mcp_worker text,
        ADD mcp_confirmed boolean NOT NULL DEFAULT false`);
    await runner.query(
      `CREATE INDEX issue_leases_of_session ON issue_leases (agent_id, mcp_session) WHERE mcp_session IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX issue_leases_of_mcp_worker ON issue_leases (agent_id, mcp_worker) WHERE mcp_worker IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE issue_leases DROP mcp_token, DROP mcp_seconds, DROP mcp_session, DROP mcp_worker, DROP mcp_confirmed`);
  }
}
