import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `comments.transaction_id` tells exactly which comments an agent has not been told of, whatever the order of
 * commits. `attachment_leftovers` holds every id under which the store may have bytes without a row: uploads
 * that run, and attachments that were deleted, by whatever way.
 */
export class CommentsAttachments1763700004000 implements MigrationInterface {
  name = 'CommentsAttachments1763700004000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE comments (
        id             uuid CONSTRAINT comments_pk PRIMARY KEY,
        issue_id       uuid NOT NULL CONSTRAINT comments_issue_fk REFERENCES issues ON DELETE CASCADE,
        content        text NOT NULL,
        author_type    text NOT NULL CONSTRAINT comments_author_type_known CHECK (author_type IN ('User', 'Agent', 'System')),
        author_id      uuid,
        author_name    text NOT NULL,
        transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
        created_at     timestamptz(3) NOT NULL DEFAULT now(),
        updated_at     timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX comments_of_issue ON comments (issue_id, created_at, id)`);
    await runner.query(`
      CREATE TABLE attachments (
        id               uuid CONSTRAINT attachments_pk PRIMARY KEY,
        issue_id         uuid NOT NULL CONSTRAINT attachments_issue_fk REFERENCES issues ON DELETE CASCADE,
        filename         text NOT NULL,
        content_type     text NOT NULL,
        is_raster_image  boolean NOT NULL,
        size             bigint NOT NULL CONSTRAINT attachments_size_positive CHECK (size >= 0),
        sha256           text NOT NULL,
        uploaded_by_type text NOT NULL,
        uploaded_by_id   uuid,
        uploaded_by_name text NOT NULL,
        created_at       timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX attachments_of_issue ON attachments (issue_id, created_at, id)`);
    await runner.query(`
      CREATE TABLE attachment_leftovers (
        id        uuid CONSTRAINT attachment_leftovers_pk PRIMARY KEY,
        is_upload boolean NOT NULL,
        remove_at timestamptz NOT NULL
      )`);
    await runner.query(`CREATE INDEX attachment_leftovers_due ON attachment_leftovers (remove_at)`);
    await runner.query(`
      CREATE FUNCTION attachments_leave_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO attachment_leftovers (id, is_upload, remove_at) SELECT id, false, now() FROM gone;
        RETURN NULL;
      END $$`);
    await runner.query(`
      CREATE TRIGGER attachments_leave_bytes AFTER DELETE ON attachments REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION attachments_leave_bytes()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE attachment_leftovers, attachments, comments`);
    await runner.query(`DROP FUNCTION attachments_leave_bytes`);
  }
}
