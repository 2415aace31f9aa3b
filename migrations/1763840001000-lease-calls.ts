import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * No call of a lease key begins after the commit that ended its lease. A process that lets a call begin holds shared
 * advisory locks of the lease, the agent and the halt from its look at them until the call is on its way. Whatever ends
 * a lease takes the lock of the same name for itself, by these triggers, and so waits for calls that are just beginning.
 */
export class LeaseCalls1763840001000 implements MigrationInterface {
  name = 'LeaseCalls1763840001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE agents ADD tools_require_lease boolean NOT NULL DEFAULT false`);
    await runner.query(`
      CREATE FUNCTION stop_new_calls() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtextextended(TG_ARGV[0] || coalesce(to_jsonb(OLD) ->> TG_ARGV[1], ''), 1));
        RETURN CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
      END $$`);
    await runner.query(`
      CREATE TRIGGER issue_leases_stop_new_calls BEFORE UPDATE OF token, agent_id, expires_at ON issue_leases
      FOR EACH ROW WHEN (OLD.token IS DISTINCT FROM NEW.token OR OLD.agent_id IS DISTINCT FROM NEW.agent_id
                         OR (OLD.expires_at IS NOT NULL AND NEW.expires_at IS NULL))
      EXECUTE FUNCTION stop_new_calls('calls of lease ', 'issue_id')`);
    await runner.query(`
      CREATE TRIGGER issue_leases_stop_new_calls_when_deleted BEFORE DELETE ON issue_leases
      FOR EACH ROW EXECUTE FUNCTION stop_new_calls('calls of lease ', 'issue_id')`);
    await runner.query(`
      CREATE TRIGGER agents_stop_new_calls BEFORE UPDATE OF disabled ON agents
      FOR EACH ROW WHEN (NEW.disabled AND NOT OLD.disabled)
      EXECUTE FUNCTION stop_new_calls('calls of agent ', 'id')`);
    await runner.query(`
      CREATE TRIGGER agent_halt_stop_new_calls BEFORE UPDATE OF halted ON agent_halt
      FOR EACH ROW WHEN (NEW.halted AND NOT OLD.halted)
      EXECUTE FUNCTION stop_new_calls('calls of all agents', '')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER agent_halt_stop_new_calls ON agent_halt`);
    await runner.query(`DROP TRIGGER agents_stop_new_calls ON agents`);
    await runner.query(`DROP TRIGGER issue_leases_stop_new_calls_when_deleted ON issue_leases`);
    await runner.query(`DROP TRIGGER issue_leases_stop_new_calls ON issue_leases`);
    await runner.query(`DROP FUNCTION stop_new_calls()`);
    await runner.query(`ALTER TABLE agents DROP tools_require_lease`);
  }
}
