import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Sessions1763700010000 implements MigrationInterface {
  name = 'Sessions1763700010000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sessions (
        id           uuid CONSTRAINT sessions_pk PRIMARY KEY,
        user_id      uuid NOT NULL CONSTRAINT sessions_user_fk REFERENCES users ON DELETE CASCADE,
        hash         bytea NOT NULL CONSTRAINT sessions_hash_unique UNIQUE,
        created_at   timestamptz(3) NOT NULL DEFAULT now(),
        last_used_at timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`CREATE INDEX sessions_of_user ON sessions (user_id)`);
    // The columns are the ones that rate-limiter-flexible writes; times are milliseconds since 1970.
    await runner.query(`
      CREATE TABLE login_failures (
        key    varchar(255) CONSTRAINT login_failures_pk PRIMARY KEY,
        points integer NOT NULL DEFAULT 0,
        expire bigint
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE login_failures, sessions`);
  }
}
