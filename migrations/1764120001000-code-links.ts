import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Branches, commits and pull requests of issues, the checks of their commits, and the hooks that report them (contract §5.13).
 *
 * A pull request has one row per project, whichever of its issues it is linked to, and also before it is linked: a person or
 * an agent links it after its code host has reported it. Checks are kept by commit, since a check may end before the
 * pull request is reported. `issues.has_code` spares a list the look into `code_links` for each issue without a link, and
 * the function the planning of that look in each list.
 *
 * A gate of kind checks fits the tables of gates. An earlier release lists it and unblocks nothing by it.
 */
export class CodeLinks1764120001000 implements MigrationInterface {
  name = 'CodeLinks1764120001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE code_hooks (
        id               uuid CONSTRAINT code_hooks_pk PRIMARY KEY,
        project_id       uuid NOT NULL CONSTRAINT code_hooks_project_fk REFERENCES projects ON DELETE CASCADE,
        provider         text NOT NULL
                           CONSTRAINT code_hooks_provider_known CHECK (provider IN ('github', 'gitlab', 'gitea')),
        repositories     text[] NOT NULL,
        sealed           text NOT NULL,
        created_at       timestamptz(3) NOT NULL DEFAULT now(),
        updated_at       timestamptz(3) NOT NULL DEFAULT now(),
        last_delivery_at timestamptz(3),
        CONSTRAINT code_hooks_provider_unique UNIQUE (project_id, provider)
      )`);
    await runner.query(`
      CREATE TABLE code_deliveries (
        hook_id     uuid NOT NULL CONSTRAINT code_deliveries_hook_fk REFERENCES code_hooks ON DELETE CASCADE,
        delivery_id text NOT NULL,
        received_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT code_deliveries_pk PRIMARY KEY (hook_id, delivery_id)
      )`);
    await runner.query('CREATE INDEX code_deliveries_by_age ON code_deliveries (received_at)');
    await runner.query(`
      CREATE TABLE code_items (
        id         uuid CONSTRAINT code_items_pk PRIMARY KEY,
        project_id uuid NOT NULL CONSTRAINT code_items_project_fk REFERENCES projects ON DELETE CASCADE,
        kind       text NOT NULL CONSTRAINT code_items_kind_known CHECK (kind IN ('branch', 'commit', 'pull_request')),
        url        text NOT NULL,
        repository text NOT NULL,
        title      text NOT NULL,
        state      text NOT NULL DEFAULT 'open'
                     CONSTRAINT code_items_state_known CHECK (state IN ('open', 'draft', 'merged', 'closed')),
        checks     text NOT NULL DEFAULT 'none'
                     CONSTRAINT code_items_checks_known CHECK (checks IN ('pending', 'passing', 'failing', 'none')),
        author     text,
        head_sha   text,
        source_at  timestamptz(3),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT code_items_url_unique UNIQUE (project_id, url)
      )`);
    await runner.query('CREATE INDEX code_items_by_head ON code_items (project_id, repository, head_sha)');
    await runner.query('CREATE INDEX code_items_by_change ON code_items (updated_at)');
    await runner.query(`
      CREATE TABLE code_links (
        id              uuid CONSTRAINT code_links_pk PRIMARY KEY,
        issue_id        uuid NOT NULL CONSTRAINT code_links_issue_fk REFERENCES issues ON DELETE CASCADE,
        item_id         uuid NOT NULL CONSTRAINT code_links_item_fk REFERENCES code_items ON DELETE CASCADE,
        counts          boolean NOT NULL,
        created_by_type text NOT NULL,
        created_by_id   uuid,
        created_by_name text NOT NULL,
        created_at      timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT code_links_once UNIQUE (issue_id, item_id)
      )`);
    await runner.query('CREATE INDEX code_links_of_item ON code_links (item_id, issue_id)');
    await runner.query(`
      CREATE TABLE code_checks (
        project_id  uuid NOT NULL CONSTRAINT code_checks_project_fk REFERENCES projects ON DELETE CASCADE,
        repository  text NOT NULL,
        sha         text NOT NULL,
        name        text NOT NULL,
        state       text NOT NULL CONSTRAINT code_checks_state_known CHECK (state IN ('pending', 'passing', 'failing')),
        at          timestamptz(3) NOT NULL,
        received_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT code_checks_pk PRIMARY KEY (project_id, repository, sha, name)
      )`);
    await runner.query('CREATE INDEX code_checks_by_age ON code_checks (received_at)');
    await runner.query('ALTER TABLE issues ADD has_code boolean NOT NULL DEFAULT false');
    await runner.query(`
      CREATE FUNCTION code_of_issue(issue uuid) RETURNS json STABLE PARALLEL SAFE LANGUAGE plpgsql AS $$
      BEGIN
        RETURN (
          SELECT json_build_object('open', count(*), 'failing', count(*) FILTER (WHERE c.checks = 'failing'))
          FROM code_links l JOIN code_items c ON c.id = l.item_id
          WHERE l.issue_id = issue AND l.counts AND c.kind = 'pull_request' AND c.state IN ('open', 'draft'));
      END $$`);
    await this.acceptKinds(runner, `'approval', 'question', 'budget', 'checks'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE gates SET kind = 'question', holds = false WHERE kind = 'checks'`);
    await this.acceptKinds(runner, `'approval', 'question', 'budget'`);
    await runner.query('DROP FUNCTION code_of_issue(uuid)');
    await runner.query('ALTER TABLE issues DROP COLUMN has_code');
    await runner.query('DROP TABLE code_checks, code_links, code_items, code_deliveries, code_hooks');
  }

  private async acceptKinds(runner: QueryRunner, kinds: string): Promise<void> {
    await runner.query(`
      ALTER TABLE gates DROP CONSTRAINT gates_kind_known,
        ADD CONSTRAINT gates_kind_known CHECK (kind IN (${kinds}))`);
  }
}
