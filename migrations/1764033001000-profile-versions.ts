import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The version of a profile, by which a change that would undo another one is refused (contract §3.6). */
export class ProfileVersions1764033001000 implements MigrationInterface {
  name = 'ProfileVersions1764033001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE access_profiles ADD COLUMN version integer NOT NULL DEFAULT 1`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE access_profiles DROP COLUMN version`);
  }
}
