import { setTimeout as pause } from 'node:timers/promises';
import { PARTITIONS_LOCK } from '../../dist/src/platform/partitions/partitions.js';

/** Lock not available, deadlock. */
const BUSY = ['55P03', '40P01'];
const ATTEMPTS = 60;

/**
 * Runs a change of partitions in a transaction. It waits half a second at most for a table, since all others wait behind
 * it, and tries again.
 */
export async function inTransaction(database, work) {
  for (let attempt = 1; ; attempt += 1) {
    await database.query('BEGIN');
    try {
      await database.query('SELECT pg_advisory_xact_lock($1)', [PARTITIONS_LOCK]);
      await database.query(`SET LOCAL lock_timeout = '500ms'`);
      const result = await work();
      await database.query('COMMIT');
      return result;
    } catch (error) {
      await database.query('ROLLBACK');
      if (!BUSY.includes(error.code) || attempt === ATTEMPTS) throw error;
      await pause(500);
    }
  }
}
