import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The processes of the role `tools` (contract §9.3). Each renews its row every second, so the table is not worth a write
 * to the WAL: after a crash of the database the hosts announce themselves again.
 */
export class ToolsHosts1763999001000 implements MigrationInterface {
  name = 'ToolsHosts1763999001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE UNLOGGED TABLE tools_hosts (
        id          uuid CONSTRAINT tools_hosts_pk PRIMARY KEY,
        address     text NOT NULL,
        is_draining boolean NOT NULL DEFAULT false,
        seen_at     timestamptz(3) NOT NULL DEFAULT now()
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE tools_hosts`);
  }
}
