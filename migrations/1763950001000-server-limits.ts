import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Limits of one installed server in place of those of the service. The release before this one leaves the default. */
export class ServerLimits1763950001000 implements MigrationInterface {
  name = 'ServerLimits1763950001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE installed_servers ADD limits jsonb NOT NULL DEFAULT '{}'
        CONSTRAINT installed_servers_limits_form CHECK (jsonb_typeof(limits) = 'object')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE installed_servers DROP limits`);
  }
}
