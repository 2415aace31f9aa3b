import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * `webhook_deliveries` is the log, and says what is still to be sent; the jobs that send lie in a schema of
 * graphile-worker, which makes it by itself when the first webhook is made. `lane` keeps what belongs to one issue
 * in order. `webhook_feed.position` is how far the journal has been turned into deliveries.
 */
export class Webhooks1763700021000 implements MigrationInterface {
  name = 'Webhooks1763700021000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE webhooks (
        id             uuid CONSTRAINT webhooks_pk PRIMARY KEY,
        url            text NOT NULL,
        description    text NOT NULL DEFAULT '',
        event_types    text[],
        project_id     uuid,
        disabled       boolean NOT NULL DEFAULT false,
        since_position bigint NOT NULL,
        previous_until timestamptz(3),
        created_at     timestamptz(3) NOT NULL DEFAULT now(),
        updated_at     timestamptz(3) NOT NULL DEFAULT now()
      )`);
    await runner.query(`
      CREATE TABLE webhook_secrets (
        webhook_id uuid NOT NULL CONSTRAINT webhook_secrets_webhook_fk REFERENCES webhooks ON DELETE CASCADE,
        name       text NOT NULL CONSTRAINT webhook_secrets_name_known CHECK (name IN ('CURRENT', 'PREVIOUS')),
        sealed     text NOT NULL,
        CONSTRAINT webhook_secrets_pk PRIMARY KEY (webhook_id, name)
      )`);
    await runner.query(`
      CREATE TABLE webhook_feed (
        only_row boolean NOT NULL DEFAULT true CONSTRAINT webhook_feed_pk PRIMARY KEY
                 CONSTRAINT webhook_feed_one_row CHECK (only_row),
        position bigint NOT NULL DEFAULT 0
      )`);
    await runner.query(`INSERT INTO webhook_feed DEFAULT VALUES`);
    await runner.query(`
      CREATE TABLE webhook_deliveries (
        id              uuid CONSTRAINT webhook_deliveries_pk PRIMARY KEY,
        webhook_id      uuid NOT NULL CONSTRAINT webhook_deliveries_webhook_fk REFERENCES webhooks ON DELETE CASCADE,
        event_id        uuid NOT NULL,
        event_position  bigint NOT NULL,
        type            text NOT NULL,
        lane            text NOT NULL,
        status          text NOT NULL DEFAULT 'pending'
                        CONSTRAINT webhook_deliveries_status_known CHECK (status IN ('pending', 'succeeded', 'failed')),
        attempts        jsonb NOT NULL DEFAULT '[]',
        tries           integer NOT NULL DEFAULT 0,
        next_attempt_at timestamptz(3) DEFAULT now(),
        created_at      timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT webhook_deliveries_event_unique UNIQUE (webhook_id, event_id)
      )`);
    await runner.query(
      `CREATE INDEX webhook_deliveries_log ON webhook_deliveries (webhook_id, created_at, id)`,
    );
    await runner.query(`
      CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, lane, event_position)
      WHERE status = 'pending'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE webhook_deliveries, webhook_feed, webhook_secrets, webhooks`);
  }
}
