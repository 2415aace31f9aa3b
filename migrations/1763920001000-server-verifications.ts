import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The last verifications of each server, with who started them. */
export class ServerVerifications1763920001000 implements MigrationInterface {
  name = 'ServerVerifications1763920001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE server_verifications (
        id        uuid CONSTRAINT server_verifications_pk PRIMARY KEY,
        server_id uuid NOT NULL CONSTRAINT server_verifications_server_fk REFERENCES installed_servers ON DELETE CASCADE,
        at        timestamptz(3) NOT NULL DEFAULT now(),
        by_type   text NOT NULL,
        by_id     uuid,
        by_name   text NOT NULL,
        result    jsonb NOT NULL
      )`);
    await runner.query(
      `CREATE INDEX server_verifications_of_server ON server_verifications (server_id, at DESC, id DESC)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE server_verifications`);
  }
}
