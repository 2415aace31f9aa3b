import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ElevatedKeys1763700080000 implements MigrationInterface {
  name = 'ElevatedKeys1763700080000';

  async up(runner: QueryRunner): Promise<void> {
    // An elevated key belongs to the session that made it, so that whatever ends the session ends the key.
    await runner.query(`
      ALTER TABLE api_keys ADD COLUMN session_id uuid
        CONSTRAINT api_keys_session_fk REFERENCES sessions ON DELETE CASCADE`);
    await runner.query(`CREATE INDEX api_keys_session ON api_keys (session_id) WHERE session_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_keys DROP COLUMN session_id`);
  }
}
