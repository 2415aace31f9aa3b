import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Limits of usage of an agent, project or issue; ids are unique among all of them. `stopped_on` is the first day of the
 * period in which the limit was reached without being raised since: nothing is handed out while that period lasts.
 * `extra` is what was added to each limit in the period that begins on `extra_on`.
 */
export class Budgets1763820003000 implements MigrationInterface {
  name = 'Budgets1763820003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE budgets (
        scope_id     uuid CONSTRAINT budgets_pk PRIMARY KEY,
        scope        text NOT NULL CONSTRAINT budgets_scope_known CHECK (scope IN ('agent', 'project', 'issue')),
        period       text NOT NULL CONSTRAINT budgets_period_known CHECK (period IN ('day', 'month', 'total')),
        tokens       bigint CONSTRAINT budgets_tokens CHECK (tokens > 0),
        cost_micros  bigint CONSTRAINT budgets_cost CHECK (cost_micros > 0),
        turns        bigint CONSTRAINT budgets_turns CHECK (turns > 0),
        tool_calls   bigint CONSTRAINT budgets_tool_calls CHECK (tool_calls > 0),
        wall_seconds bigint CONSTRAINT budgets_wall CHECK (wall_seconds > 0),
        extra        jsonb NOT NULL DEFAULT '{}',
        extra_on     date,
        stopped_on   date,
        gate_id      uuid,
        updated_at   timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT budgets_limit_something CHECK (num_nonnulls(tokens, cost_micros, turns, tool_calls, wall_seconds) > 0)
      )`);
    await runner.query(`CREATE INDEX budgets_stopped ON budgets (scope_id) WHERE gate_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE budgets`);
  }
}
