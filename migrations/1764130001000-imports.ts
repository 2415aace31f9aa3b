import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Imports into projects (contract §5.12). `imported_objects` says which row an object of another system has become, so that
 * a repeated import finds it, and an export names it as its source does. The table is beside those of issues, goals and comments, because
 * most of their rows were never imported, and no list reads it.
 *
 * The bytes of an import lie beside those of attachments until it ends. An import that is deleted with its project leaves them to the
 * sweep, by the trigger that attachments have too.
 */
export class Imports1764130001000 implements MigrationInterface {
  name = 'Imports1764130001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE imports (
        id              uuid CONSTRAINT imports_pk PRIMARY KEY,
        project_id      uuid NOT NULL CONSTRAINT imports_project_fk REFERENCES projects ON DELETE CASCADE,
        format          text NOT NULL,
        state           text NOT NULL DEFAULT 'queued' CONSTRAINT imports_state_known
                          CHECK (state IN ('queued', 'running', 'completed', 'failed')),
        started_by_id   uuid NOT NULL CONSTRAINT imports_user_fk REFERENCES users ON DELETE RESTRICT,
        started_by_name text NOT NULL,
        total           integer,
        done            integer NOT NULL DEFAULT 0,
        created         integer NOT NULL DEFAULT 0,
        updated         integer NOT NULL DEFAULT 0,
        skipped         integer NOT NULL DEFAULT 0,
        errors          jsonb NOT NULL DEFAULT '[]',
        ignored         jsonb NOT NULL DEFAULT '{}',
        failure         text,
        pass            smallint NOT NULL DEFAULT 0,
        position        integer NOT NULL DEFAULT 0,
        attempts        smallint NOT NULL DEFAULT 0,
        claim           uuid,
        claimed_until   timestamptz(3),
        created_at      timestamptz(3) NOT NULL DEFAULT now(),
        finished_at     timestamptz(3)
      )`);
    await runner.query(`CREATE INDEX imports_of_project ON imports (project_id, created_at, id)`);
    await runner.query(
      `CREATE INDEX imports_unfinished ON imports (created_at) WHERE state IN ('queued', 'running')`,
    );
    await runner.query(`
      CREATE TABLE imported_objects (
        project_id  uuid NOT NULL CONSTRAINT imported_objects_project_fk REFERENCES projects ON DELETE CASCADE,
        kind        text NOT NULL CONSTRAINT imported_objects_kind_known CHECK (kind IN ('goal', 'issue', 'comment')),
        external_id text NOT NULL,
        object_id   uuid NOT NULL,
        digest      text NOT NULL,
        import_id   uuid NOT NULL,
        is_made     boolean NOT NULL,
        imported_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT imported_objects_pk PRIMARY KEY (project_id, kind, external_id),
        CONSTRAINT imported_objects_object_unique UNIQUE (object_id)
      )`);
    await runner.query(`
      CREATE FUNCTION import_leaves_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO attachment_leftovers (id, is_upload, remove_at) VALUES (OLD.id, false, now())
        ON CONFLICT (id) DO NOTHING;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER import_bytes_left AFTER DELETE ON imports
      FOR EACH ROW WHEN (OLD.finished_at IS NULL) EXECUTE FUNCTION import_leaves_bytes()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE imported_objects, imports');
    await runner.query('DROP FUNCTION import_leaves_bytes()');
  }
}
