import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Schedules (contract §5.11). An earlier release neither reads nor writes the two tables: nothing is created while only such
 * processes run. `last_issue_id` has no foreign key, so that the deletion of an issue waits for no schedule.
 */
export class Schedules1764115001000 implements MigrationInterface {
  name = 'Schedules1764115001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE schedules (
        id            uuid CONSTRAINT schedules_pk PRIMARY KEY,
        project_id    uuid NOT NULL CONSTRAINT schedules_project_fk REFERENCES projects ON DELETE CASCADE,
        name          text NOT NULL,
        cron          text NOT NULL,
        time_zone     text NOT NULL,
        template      jsonb NOT NULL,
        policy        text NOT NULL CONSTRAINT schedules_policy_known CHECK (policy IN ('skip', 'queue', 'replace')),
        enabled       boolean NOT NULL,
        next_at       timestamptz(3),
        last_at       timestamptz(3),
        last_issue_id uuid,
        issues        integer NOT NULL DEFAULT 0,
        failures      integer NOT NULL DEFAULT 0,
        failing_since timestamptz(3),
        last_failure  text,
        editor_id     uuid NOT NULL CONSTRAINT schedules_editor_fk REFERENCES users ON DELETE RESTRICT,
        editor_cap    text,
        created_at    timestamptz(3) NOT NULL DEFAULT now(),
        updated_at    timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT schedules_due_while_enabled CHECK (enabled = (next_at IS NOT NULL))
      )`);
    await runner.query('CREATE INDEX schedules_due ON schedules (next_at) WHERE next_at IS NOT NULL');
    await runner.query('CREATE INDEX schedules_of_project ON schedules (project_id, created_at, id)');
    await runner.query('CREATE INDEX schedules_failing ON schedules (project_id) WHERE failures > 0');
    await runner.query(`
      CREATE TABLE schedule_runs (
        schedule_id uuid NOT NULL CONSTRAINT schedule_runs_schedule_fk REFERENCES schedules ON DELETE CASCADE,
        due_at      timestamptz(3) NOT NULL,
        outcome     text NOT NULL CONSTRAINT schedule_runs_outcome_known CHECK (outcome IN ('created', 'skipped', 'failed')),
        CONSTRAINT schedule_runs_pk PRIMARY KEY (schedule_id, due_at)
      )`);
    await runner.query('CREATE INDEX schedule_runs_by_age ON schedule_runs (due_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE schedule_runs, schedules');
  }
}
