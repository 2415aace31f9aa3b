import type { MigrationInterface, QueryRunner } from 'typeorm';

const COUNTERS = `
  input_tokens       bigint NOT NULL DEFAULT 0,
  output_tokens      bigint NOT NULL DEFAULT 0,
  cache_read_tokens  bigint NOT NULL DEFAULT 0,
  cache_write_tokens bigint NOT NULL DEFAULT 0,
  cost_micros        bigint NOT NULL DEFAULT 0,
  turns              bigint NOT NULL DEFAULT 0,
  reported_turns     bigint NOT NULL DEFAULT 0,
  tool_calls         bigint NOT NULL DEFAULT 0,
  wall_ms            bigint NOT NULL DEFAULT 0`;

/**
 * What agents report and what the service counts itself: each report once (`usage_reports`), sums per hour for
 * evaluations (`usage_hours`), and sums per object and period (`usage_totals`), one row each, for lists and budgets. They
 * outlive the objects that they name, so nothing references those. `issue_leases` measures the time of a lease:
 * `wall_ms` up to `measured_at`, as far as it is not yet in the sums.
 */
export class Usage1763820002000 implements MigrationInterface {
  name = 'Usage1763820002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE usage_reports (
        agent_id           uuid NOT NULL,
        report_id          uuid NOT NULL,
        at                 timestamptz(3) NOT NULL DEFAULT now(),
        project_id         uuid,
        issue_id           uuid,
        model              text,
        input_tokens       bigint NOT NULL CONSTRAINT usage_reports_input CHECK (input_tokens >= 0),
        output_tokens      bigint NOT NULL CONSTRAINT usage_reports_output CHECK (output_tokens >= 0),
        cache_read_tokens  bigint NOT NULL CONSTRAINT usage_reports_cache_read CHECK (cache_read_tokens >= 0),
        cache_write_tokens bigint NOT NULL CONSTRAINT usage_reports_cache_write CHECK (cache_write_tokens >= 0),
        cost_micros        bigint NOT NULL CONSTRAINT usage_reports_cost CHECK (cost_micros >= 0),
        CONSTRAINT usage_reports_pk PRIMARY KEY (agent_id, report_id)
      )`);
    await runner.query(`
      CREATE TABLE usage_hours (
        hour       timestamptz(3) NOT NULL,
        agent_id   uuid NOT NULL,
        project_id uuid,
        issue_id   uuid,
        model      text,
        ${COUNTERS},
        CONSTRAINT usage_hours_unique UNIQUE NULLS NOT DISTINCT (hour, agent_id, project_id, issue_id, model)
      ) WITH (fillfactor = 70)`);
    await runner.query(`CREATE INDEX usage_hours_of_agent ON usage_hours (agent_id, hour)`);
    await runner.query(
      `CREATE INDEX usage_hours_of_project ON usage_hours (project_id, hour) WHERE project_id IS NOT NULL`,
    );
    await runner.query(
      `CREATE INDEX usage_hours_of_issue ON usage_hours (issue_id, hour) WHERE issue_id IS NOT NULL`,
    );
    await runner.query(`
      CREATE TABLE usage_totals (
        scope     text NOT NULL CONSTRAINT usage_totals_scope_known CHECK (scope IN ('agent', 'project', 'issue')),
        scope_id  uuid NOT NULL,
        period    text NOT NULL CONSTRAINT usage_totals_period_known CHECK (period IN ('day', 'month', 'total')),
        starts_on date NOT NULL,
        ${COUNTERS},
        CONSTRAINT usage_totals_pk PRIMARY KEY (scope, scope_id, period, starts_on)
      ) WITH (fillfactor = 70)`);
    await runner.query(`
      ALTER TABLE issue_leases
        ADD reported_turn integer NOT NULL DEFAULT 0,
        ADD wall_ms       bigint NOT NULL DEFAULT 0,
        ADD measured_at   timestamptz(3)`);
    await runner.query(`CREATE INDEX issue_leases_measured ON issue_leases (issue_id) WHERE wall_ms > 0`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX issue_leases_measured`);
    await runner.query(`ALTER TABLE issue_leases DROP reported_turn, DROP wall_ms, DROP measured_at`);
    await runner.query(`DROP TABLE usage_totals, usage_hours, usage_reports`);
  }
}
