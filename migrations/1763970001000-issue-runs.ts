import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the worker of a lease reports of its run. A row is written by its worker only, and is small: the last lines of
 * output stand in it, the whole log is an attachment.
 */
export class IssueRuns1763970001000 implements MigrationInterface {
  name = 'IssueRuns1763970001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE issue_runs (
        issue_id    uuid CONSTRAINT issue_runs_issue_fk REFERENCES issues ON DELETE CASCADE,
        token       bigint,
        agent_id    uuid NOT NULL CONSTRAINT issue_runs_agent_fk REFERENCES agents ON DELETE CASCADE,
        session     text,
        turns       integer NOT NULL DEFAULT 0,
        tokens      bigint NOT NULL DEFAULT 0,
        cost_micros bigint NOT NULL DEFAULT 0,
        output      text NOT NULL DEFAULT '',
        log_id      uuid CONSTRAINT issue_runs_log_fk REFERENCES attachments ON DELETE SET NULL,
        stopped     text,
        started_at  timestamptz(3) NOT NULL DEFAULT now(),
        reported_at timestamptz(3) NOT NULL DEFAULT now(),
        stopped_at  timestamptz(3),
        CONSTRAINT issue_runs_pk PRIMARY KEY (issue_id, token),
        CONSTRAINT issue_runs_stop_whole CHECK ((stopped IS NULL) = (stopped_at IS NULL))
      ) WITH (fillfactor = 70)`);
    await runner.query(`CREATE INDEX issue_runs_of_agent ON issue_runs (agent_id)`);
    await runner.query(`CREATE INDEX issue_runs_of_log ON issue_runs (log_id) WHERE log_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE issue_runs`);
  }
}
