import type { MigrationInterface, QueryRunner } from 'typeorm';

export class IdempotencyKeys1763700005000 implements MigrationInterface {
  name = 'IdempotencyKeys1763700005000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotency_keys (
        caller_id    uuid NOT NULL,
        key          text NOT NULL,
        path         text NOT NULL,
        request_hash bytea NOT NULL,
        claim        uuid NOT NULL,
        claimed_at   timestamptz(3) NOT NULL DEFAULT now(),
        status       integer,
        headers      jsonb,
        body         text,
        CONSTRAINT idempotency_keys_pk PRIMARY KEY (caller_id, key, path)
      )`);
    await runner.query(`CREATE INDEX idempotency_keys_by_age ON idempotency_keys (claimed_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE idempotency_keys`);
  }
}
