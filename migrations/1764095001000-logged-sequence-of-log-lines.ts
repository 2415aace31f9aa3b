import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The sequence of an unlogged table is unlogged too, and PostgreSQL 15 to 18 leave its page empty on a standby that is
 * promoted ('bad magic number in sequence'): after a failover no log line of a server could be stored, and no statement
 * could read `pg_sequences`, as `/metrics` does. The sequence is made again, because such a page cannot be repaired.
 */
export class LoggedSequenceOfLogLines1764095001000 implements MigrationInterface {
  name = 'LoggedSequenceOfLogLines1764095001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE server_log_lines ALTER COLUMN id DROP IDENTITY');
    await runner.query('ALTER TABLE server_log_lines ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY');
    await runner.query('ALTER SEQUENCE server_log_lines_id_seq SET LOGGED');
    await runner.query(
      `SELECT setval('server_log_lines_id_seq', (SELECT coalesce(max(id), 0) + 1 FROM server_log_lines), false)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER SEQUENCE server_log_lines_id_seq SET UNLOGGED');
  }
}
