import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The key that a user made a further key with. The further key is deleted with it, and ends no later (contract §2.5). */
export class KeyParents1763850001000 implements MigrationInterface {
  name = 'KeyParents1763850001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys ADD COLUMN parent_key_id uuid
        CONSTRAINT api_keys_parent_fk REFERENCES api_keys ON DELETE CASCADE`);
    await runner.query(
      `CREATE INDEX api_keys_parent ON api_keys (parent_key_id) WHERE parent_key_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_keys DROP COLUMN parent_key_id`);
  }
}
