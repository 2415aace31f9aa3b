import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One index for each list that a page is cut from, in the order of the list (decision 0011). The indexes over all projects
 * hold the status under another collation than those of one project: the planner estimates all projects equally, and would
 * otherwise read the issues of all other projects to find those of one.
 */
const indexesOfLists = {
  issues_of_project: '(project_id, created_at, id)',
  issues_of_project_by_status: '(project_id, status, created_at, id)',
  issues_of_project_by_change: '(project_id, status, updated_at, id)',
  issues_of_project_by_priority: '(project_id, status, priority, created_at, id)',
  issues_by_status: '(status COLLATE "C", created_at, id)',
  issues_by_change: '(status COLLATE "C", updated_at, id)',
  issues_by_priority: '(status COLLATE "C", priority, created_at, id)',
  issues_of_agent: '(assigned_agent_id, status, created_at, id) WHERE assigned_agent_id IS NOT NULL',
  issues_of_user: '(assignee_user_id, status, created_at, id) WHERE assignee_user_id IS NOT NULL',
  issues_of_goal: '(goal_id, status, created_at, id) WHERE goal_id IS NOT NULL',
};

/**
 * Found by words, and by the project they are in, which is a lexeme that no text can give (it holds a space): a
 * search in one project reads the matches of that one alone.
 *
 * A lease lives in a row of its own, so that renewing it never rewrites the issue: `expires_at` null is a
 * lease that ended, one in the past a lease that ran out and may still be renewed until it is taken over.
 */
export class Issues1763700003000 implements MigrationInterface {
  name = 'Issues1763700003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE issues (
        id                uuid CONSTRAINT issues_pk PRIMARY KEY,
        project_id        uuid NOT NULL CONSTRAINT issues_project_fk REFERENCES projects ON DELETE RESTRICT,
        number            integer NOT NULL,
        title             text NOT NULL,
        description       text NOT NULL DEFAULT '',
        status            text NOT NULL CONSTRAINT issues_status_known CHECK (status IN
                          ('Open', 'InProgress', 'WaitingOnDependency', 'PendingReview', 'Resolved', 'Closed')),
        paused            boolean NOT NULL DEFAULT false,
        priority          smallint NOT NULL DEFAULT 0 CONSTRAINT issues_priority_range CHECK (priority BETWEEN 0 AND 4),
        assigned_agent_id uuid CONSTRAINT issues_agent_fk REFERENCES agents ON DELETE RESTRICT,
        assignee_user_id  uuid CONSTRAINT issues_user_fk REFERENCES users ON DELETE RESTRICT,
        goal_id           uuid,
        attempts          integer NOT NULL DEFAULT 0,
        version           integer NOT NULL DEFAULT 1,
        created_by_type   text NOT NULL,
        created_by_id     uuid,
        created_by_name   text NOT NULL,
        created_at        timestamptz(3) NOT NULL DEFAULT now(),
        updated_at        timestamptz(3) NOT NULL DEFAULT now(),
        started_at        timestamptz(3),
        resolved_at       timestamptz(3),
        closed_at         timestamptz(3),
        given_back_by     uuid,
        given_back_until  timestamptz(3),
        search            tsvector GENERATED ALWAYS AS
                          (to_tsvector('simple', title || ' ' || description)
                           || array_to_tsvector(ARRAY['in ' || project_id::text])) STORED,
        CONSTRAINT issues_number_unique UNIQUE (project_id, number),
        CONSTRAINT issues_goal_of_same_project FOREIGN KEY (goal_id, project_id)
          REFERENCES goals (id, project_id) ON DELETE SET NULL (goal_id),
        CONSTRAINT issues_paused_only_when_held CHECK (NOT paused OR status IN ('Open', 'WaitingOnDependency'))
      )`);
    await runner.query(`
      CREATE TABLE issue_links (
        id              uuid CONSTRAINT issue_links_pk PRIMARY KEY,
        source_issue_id uuid NOT NULL CONSTRAINT issue_links_source_fk REFERENCES issues ON DELETE CASCADE,
        target_issue_id uuid NOT NULL CONSTRAINT issue_links_target_fk REFERENCES issues ON DELETE CASCADE,
        link_type       text NOT NULL
                        CONSTRAINT issue_links_type_known CHECK (link_type IN ('Blocks', 'RelatedTo', 'DuplicateOf')),
        created_by_type text NOT NULL,
        created_by_id   uuid,
        created_by_name text NOT NULL,
        created_at      timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT issue_links_not_to_itself CHECK (source_issue_id <> target_issue_id)
      )`);
    await runner.query(`
      CREATE UNIQUE INDEX issue_links_unique ON issue_links (source_issue_id, target_issue_id, link_type)
      WHERE link_type <> 'RelatedTo'`);
    await runner.query(`
      CREATE UNIQUE INDEX issue_links_related_unique
      ON issue_links (least(source_issue_id, target_issue_id), greatest(source_issue_id, target_issue_id))
      WHERE link_type = 'RelatedTo'`);
    await runner.query(`CREATE INDEX issue_links_source ON issue_links (source_issue_id, link_type)`);
    await runner.query(`CREATE INDEX issue_links_target ON issue_links (target_issue_id, link_type)`);
    await runner.query(`
      CREATE TABLE issue_leases (
        issue_id   uuid CONSTRAINT issue_leases_pk PRIMARY KEY CONSTRAINT issue_leases_issue_fk REFERENCES issues ON DELETE CASCADE,
        agent_id   uuid NOT NULL CONSTRAINT issue_leases_agent_fk REFERENCES agents ON DELETE CASCADE,
        token      bigint NOT NULL,
        expires_at timestamptz(3),
        told_of    pg_snapshot
      ) WITH (fillfactor = 70)`);
    await runner.query(`CREATE INDEX issue_leases_agent ON issue_leases (agent_id)`);

    for (const [name, columns] of Object.entries(indexesOfLists))
      await runner.query(`CREATE INDEX ${name} ON issues ${columns}`);
    await runner.query(`CREATE INDEX issues_search ON issues USING gin (search) WITH (fastupdate = off)`);
    await runner.query(`
      CREATE INDEX issues_ready_for_agent ON issues (assigned_agent_id, status, priority DESC, created_at, id)
      WHERE status IN ('Open', 'InProgress') AND NOT paused`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE issue_leases, issue_links, issues`);
  }
}
