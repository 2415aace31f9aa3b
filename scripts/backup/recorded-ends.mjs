// How the commands that a timer runs have ended, in rows of `chores`. The service shows them in /metrics, and `npm run doctor`
// reads them. The folders of the commands are of no use for that: in Kubernetes each runs in a pod of its own.
import { withClient } from '../keys/database.mjs';

/** The names of the rows, as `chore.entity.ts` has them, which is not imported: it would load TypeORM. */
export const BACKUP = 'backup';
export const RESTORE_DRILL = 'restore drill';

const COMMANDS = { [BACKUP]: 'backup', [RESTORE_DRILL]: 'restore on trial' };

/** The clock is that of the database, as for chores. */
const SUCCEEDED = `
  INSERT INTO chores (name, ran_at, succeeded_at) VALUES ($1, now(), now())
  ON CONFLICT (name) DO UPDATE SET ran_at = now(), succeeded_at = now(), failures = 0`;
const FAILED = `
  INSERT INTO chores (name, ran_at, failures) VALUES ($1, now(), 1)
  ON CONFLICT (name) DO UPDATE SET ran_at = now(), failures = chores.failures + 1`;

/**
 * Runs the work of a command, and records whether it succeeded.
 * @param name the one of the row, `BACKUP` or `RESTORE_DRILL`
 */
export async function recordingEnd(settings, name, work) {
  try {
    await work();
  } catch (error) {
    await record(settings, name, FAILED);
    throw error;
  }
  await record(settings, name, SUCCEEDED);
}

/** The work is done without it: the command may have read a standby, or the database may be what failed. */
async function record(settings, name, statement) {
  try {
    await withClient(settings, async (client) => {
      if (client) await client.query(statement, [name]);
    });
  } catch (error) {
    const reason = settings.secrets.named(error.code ?? error.message).replace(/\.$/, '');
    console.error(`Warning: the database could not record how the ${COMMANDS[name]} ended (${reason}).`);
  }
}

/**
 * Returns how a command ended, or null when it never ran.
 * `{failures, daysSinceSuccess}`: the failures since the last success; whole days since it, null before the first one
 */
export async function endsOf(client, name) {
  const { rows } = await client.query(
    `SELECT failures, floor(extract(epoch FROM now() - succeeded_at) / 86400)::int AS "daysSinceSuccess"
     FROM chores WHERE name = $1`,
    [name],
  );
  return rows[0] ?? null;
}
