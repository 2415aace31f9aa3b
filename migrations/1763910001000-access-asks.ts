import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which tools of a grant need the approval of a person for each call (contract §3.4): `"writes"`, an array of names, or
 * null for none. The value `"writes"` stands for every tool that does not declare itself read-only.
 */
export class AccessAsks1763910001000 implements MigrationInterface {
  name = 'AccessAsks1763910001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE server_access
        ADD ask           jsonb CONSTRAINT server_access_ask_known
                          CHECK (ask = '"writes"'::jsonb OR jsonb_typeof(ask) = 'array'),
        ADD approver_role text NOT NULL DEFAULT 'Editor'
                          CONSTRAINT server_access_approver_role_known CHECK (approver_role IN ('Editor', 'Admin'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE server_access DROP ask, DROP approver_role`);
  }
}
