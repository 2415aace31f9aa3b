import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each agent has written in the hour that began at `since`: one row per agent and kind, which is written again. */
export class AgentQuotas1763940001000 implements MigrationInterface {
  name = 'AgentQuotas1763940001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE agent_quotas (
        agent_id uuid NOT NULL CONSTRAINT agent_quotas_agent_fk REFERENCES agents ON DELETE CASCADE,
        kind     text NOT NULL CONSTRAINT agent_quotas_kind CHECK (kind IN ('comments', 'attachments')),
        since    timestamptz(3) NOT NULL,
        number   bigint NOT NULL,
        bytes    bigint NOT NULL,
        CONSTRAINT agent_quotas_pk PRIMARY KEY (agent_id, kind)
      ) WITH (fillfactor = 70)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE agent_quotas`);
  }
}
