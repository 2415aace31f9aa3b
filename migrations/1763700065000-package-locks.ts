import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a server's package was installed with, so that another process of the service installs the same. */
export class PackageLocks1763700065000 implements MigrationInterface {
  name = 'PackageLocks1763700065000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE installed_servers ADD COLUMN package_lock text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE installed_servers DROP COLUMN package_lock`);
  }
}
