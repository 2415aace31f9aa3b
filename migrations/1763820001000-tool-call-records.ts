import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the record of a tool call says besides its result, and per issue and turn of its agent a summary of the calls,
 * which the timeline shows as one entry. A previous release leaves `outcome` empty; the index reads it as the queries do.
 */
export class ToolCallRecords1763820001000 implements MigrationInterface {
  name = 'ToolCallRecords1763820001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tool_calls
        ADD outcome        text,
        ADD reason         text,
        ADD arguments_hash text,
        ADD result_bytes   bigint,
        ADD lease_token    bigint,
        ADD gate_id        uuid`);
    await runner.query(`
      CREATE INDEX tool_calls_of_issue ON tool_calls (issue_id, called_at) WHERE issue_id IS NOT NULL`);
    await runner.query(`CREATE INDEX tool_calls_of_server ON tool_calls (server_id, called_at)`);
    await runner.query(`CREATE INDEX tool_calls_of_tool ON tool_calls (tool, called_at)`);
    await runner.query(`
      CREATE INDEX tool_calls_by_outcome ON tool_calls
        ((coalesce(outcome, CASE result WHEN 'failed' THEN 'unavailable' ELSE result END)), called_at)`);
    await runner.query(`ALTER TABLE issue_leases ADD turns integer NOT NULL DEFAULT 0`);
    await runner.query(`
      CREATE TABLE issue_call_turns (
        issue_id    uuid NOT NULL,
        lease_token bigint NOT NULL,
        turn        integer NOT NULL,
        calls       integer NOT NULL,
        failed      integer NOT NULL,
        tools       text[] NOT NULL,
        first_at    timestamptz(3) NOT NULL,
        last_at     timestamptz(3) NOT NULL,
        CONSTRAINT issue_call_turns_pk PRIMARY KEY (issue_id, lease_token, turn)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE issue_call_turns`);
    await runner.query(`ALTER TABLE issue_leases DROP turns`);
    await runner.query(
      `DROP INDEX tool_calls_of_issue, tool_calls_of_server, tool_calls_of_tool, tool_calls_by_outcome`,
    );
    await runner.query(`
      ALTER TABLE tool_calls DROP outcome, DROP reason, DROP arguments_hash, DROP result_bytes, DROP lease_token,
        DROP gate_id`);
  }
}
