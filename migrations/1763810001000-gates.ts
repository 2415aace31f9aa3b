import type { MigrationInterface, QueryRunner } from 'typeorm';

const indexes = {
  // What blocks an issue, read by every change of a status.
  gates_holding: '(issue_id) WHERE holds',
  gates_expiring: `(expires_at) WHERE state = 'open'`,
  // The limit of open gates per agent.
  gates_open_of_agent: `(agent_id) WHERE state = 'open'`,
  // What a worker has not received yet.
  gates_undelivered: `(issue_id) WHERE state <> 'open' AND delivered_at IS NULL`,
  // The lists, oldest first.
  gates_open: `(created_at, id) WHERE state = 'open'`,
  gates_by_age: '(created_at, id)',
  gates_of_issue: '(issue_id, created_at, id)',
  gates_of_project: '(project_id, created_at, id)',
  gates_of_agent: '(agent_id, created_at, id)',
};

/**
 * Decisions and answers that only a person can give (contract §5.6). A gate that `holds` its issue blocks it as an
 * unresolved blocker does. An approval is listed from the moment of the call and holds its issue only once no answer
 * came in time; it goes on holding after a late approval until the call was executed, which `outcome` tells.
 *
 * `once_key` is for gates that must not be open twice, such as the one of a budget and period.
 */
export class Gates1763810001000 implements MigrationInterface {
  name = 'Gates1763810001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE gates (
        id             uuid CONSTRAINT gates_pk PRIMARY KEY,
        kind           text NOT NULL CONSTRAINT gates_kind_known CHECK (kind IN ('approval', 'question', 'budget')),
        state          text NOT NULL DEFAULT 'open'
                       CONSTRAINT gates_state_known CHECK (state IN ('open', 'answered', 'expired', 'withdrawn')),
        project_id     uuid CONSTRAINT gates_project_fk REFERENCES projects ON DELETE CASCADE,
        issue_id       uuid CONSTRAINT gates_issue_fk REFERENCES issues ON DELETE CASCADE,
        agent_id       uuid CONSTRAINT gates_agent_fk REFERENCES agents ON DELETE CASCADE,
        holds          boolean NOT NULL DEFAULT false,
        answer_role    text NOT NULL DEFAULT 'Editor'
                       CONSTRAINT gates_answer_role_known CHECK (answer_role IN ('Editor', 'Admin')),
        title          text NOT NULL,
        detail         text,
        options        text[] NOT NULL DEFAULT '{}',
        recommended    text,
        request        jsonb NOT NULL,
        answer         jsonb,
        outcome        text,
        result         jsonb,
        once_key       text,
        opened_by_type text NOT NULL,
        opened_by_id   uuid,
        opened_by_name text NOT NULL,
        closed_by_type text,
        closed_by_id   uuid,
        closed_by_name text,
        created_at     timestamptz(3) NOT NULL DEFAULT now(),
        expires_at     timestamptz(3),
        closed_at      timestamptz(3),
        delivered_at   timestamptz(3),
        CONSTRAINT gates_issue_has_project CHECK (issue_id IS NULL OR project_id IS NOT NULL),
        CONSTRAINT gates_hold_an_issue CHECK (NOT holds OR issue_id IS NOT NULL),
        CONSTRAINT gates_hold_while_undecided CHECK (NOT holds OR state = 'open'
          OR (kind = 'approval' AND state = 'answered' AND outcome IS NULL)),
        CONSTRAINT gates_closed_at_once CHECK ((state = 'open') = (closed_at IS NULL)),
        CONSTRAINT gates_answered_with_answer CHECK ((state = 'answered') = (answer IS NOT NULL)),
        CONSTRAINT gates_only_budgets_last CHECK (kind = 'budget' OR expires_at IS NOT NULL),
        CONSTRAINT gates_few_options CHECK (cardinality(options) <= 10),
        CONSTRAINT gates_recommend_an_option CHECK (recommended IS NULL OR recommended = ANY(options))
      )`);
    for (const [name, columns] of Object.entries(indexes))
      await runner.query(`CREATE INDEX ${name} ON gates ${columns}`);
    await runner.query(
      `CREATE UNIQUE INDEX gates_open_once ON gates (once_key) WHERE once_key IS NOT NULL AND state = 'open'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE gates`);
  }
}
