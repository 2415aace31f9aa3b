import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a person has put off under Needs you (contract §8.7). Gates of budgets that an earlier release opened name their cost in
 * millionths of a US dollar; the open ones get the words of this release, because such a gate does not expire.
 */
export class AttentionSnoozes1764085001000 implements MigrationInterface {
  name = 'AttentionSnoozes1764085001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE attention_snoozes (
        user_id uuid NOT NULL,
        cause text NOT NULL,
        since timestamptz(3) NOT NULL,
        issues integer NOT NULL,
        severity smallint NOT NULL,
        until timestamptz(3) NOT NULL,
        CONSTRAINT attention_snoozes_pk PRIMARY KEY (user_id, cause),
        CONSTRAINT attention_snoozes_user_fk FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE)`);
    await runner.query('CREATE INDEX attention_snoozes_by_end ON attention_snoozes (until)');
    await runner.query(`
      UPDATE gates SET title = replace(title,
        (request ->> 'used') || ' of ' || (request ->> 'limit') || ' millionths of a US dollar',
        '$' || to_char((request ->> 'used')::numeric / 1000000, 'FM999999990.00') || ' of $'
            || to_char((request ->> 'limit')::numeric / 1000000, 'FM999999990.00'))
      WHERE state = 'open' AND kind = 'budget' AND request ->> 'measure' = 'costMicros'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE attention_snoozes');
  }
}
