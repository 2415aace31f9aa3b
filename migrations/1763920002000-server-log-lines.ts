import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The last log lines of MCP servers, which service processes publish to each other once a second. Not worth a write to
 * the WAL: after a crash of the database they are gone.
 */
export class ServerLogLines1763920002000 implements MigrationInterface {
  name = 'ServerLogLines1763920002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE server_log_lines (
        id        bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT server_log_lines_pk PRIMARY KEY,
        server_id uuid NOT NULL CONSTRAINT server_log_lines_server_fk REFERENCES installed_servers ON DELETE CASCADE,
        process   text NOT NULL,
        at        timestamptz(3) NOT NULL DEFAULT now(),
        lines     json NOT NULL
      )`);
    await runner.query(
      `CREATE INDEX server_log_lines_of_server ON server_log_lines (server_id, process, id DESC)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE server_log_lines`);
  }
}
