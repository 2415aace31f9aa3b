// What an installation does by itself while it runs: periodic work, deliveries to webhooks, and the care of PostgreSQL for old rows.
import { runningServices } from '../../dist/src/platform/start/listen-address.js';
import { askMigrated } from './asked-database.mjs';
import { note, ok } from './verdict.mjs';

/** As the alert AwpChoreFails. */
const FAILURES = 3;
/** Some chore is due every minute, and each process that does background work looks once per minute. */
const SILENT_MINUTES = 5;
/** As the alert AwpWebhooksLate. */
const LATE_MINUTES = 30;
/** As the alert AwpTransactionAge. PostgreSQL itself refuses to write at two billion. */
const OLD_TRANSACTIONS = 1e9;
const NO_DATABASE = 'checked once the database is there and migrated';

/** Periodic work that fails, or that the service of this folder does not do although it runs. */
export async function checkChores(settings) {
  const found = await askMigrated(settings, readChores);
  if (!found) return ok(NO_DATABASE);
  const [failing, ...more] = found.failing;
  if (failing)
    return note(
      `the periodic work '${failing.name}' has failed ${failing.failures} times in a row${more.length > 0 ? `, and ${more.length} more fail` : ''}`,
      `remove the cause that the log names after 'The chore "${failing.name}" failed', and restart the service; docs/operations.md, "AwpChoreFails"`,
    );
  const isOwn = settings.role === 'all' && (await runningServices(settings.dataDir)).length > 0;
  if (isOwn && found.minutes >= SILENT_MINUTES)
    return note(
      `the service runs, and its last periodic work was ${Math.floor(found.minutes)} minutes ago`,
      'restart the service',
    );
  return ok(found.count === 0 ? 'none has run yet' : `${found.count}, and each succeeds`);
}

/** The rows of the commands are judged by the check of backups. */
async function readChores(client) {
  const { rows } = await client.query(
    `SELECT name, failures, extract(epoch FROM now() - ran_at)::float8 / 60 AS minutes FROM chores
     WHERE name NOT IN ('backup', 'restore drill') ORDER BY failures DESC, name`,
  );
  return {
    count: rows.length,
    failing: rows.filter(({ failures }) => failures >= FAILURES),
    minutes: rows.length > 0 ? Math.min(...rows.map(({ minutes }) => minutes)) : 0,
  };
}

/** Webhooks that the service has ended, and events that wait. An address may hold a secret, so only its host is shown. */
export async function checkWebhooks(settings) {
  const found = await askMigrated(settings, readWebhooks);
  if (!found) return ok(NO_DATABASE);
  const { enabled, ended, late } = found;
  if (ended.length > 0)
    return note(
      `${ended.length} ended because the address is gone: ${namesOf(ended)}`,
      'give it the address of its receiver and enable it again, or delete it (dashboard, Webhooks)',
    );
  if (late.length > 0)
    return note(
      `events wait to be sent to ${namesOf(late)} for ${Math.floor(late[0].minutes)} minutes`,
      'bring that receiver back, give the webhook another address, or disable it (dashboard, Webhooks); where all wait, start a process that does background work',
    );
  return ok(enabled === 0 ? 'none' : `${enabled}, and no event waits`);
}

async function readWebhooks(client) {
  const { rows: webhooks } = await client.query(
    'SELECT id::text, url, disabled, disabled_reason AS reason FROM webhooks WHERE deleted_at IS NULL ORDER BY created_at',
  );
  const enabled = webhooks.filter(({ disabled }) => !disabled);
  const late = [];
  for (const webhook of enabled) {
    const minutes = await waitedFor(client, webhook.id);
    if (minutes >= LATE_MINUTES) late.push({ ...webhook, minutes });
  }
  return {
    enabled: enabled.length,
    ended: webhooks.filter(({ reason }) => reason !== null),
    late: late.toSorted((a, b) => b.minutes - a.minutes),
  };
}

/** Reads the first rows of the index of pending deliveries: a backlog may have millions. */
async function waitedFor(client, id) {
  const { rows } = await client.query(
    `SELECT coalesce(extract(epoch FROM now() - min(created_at))::float8 / 60, 0) AS minutes FROM (
       SELECT created_at FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending'
       ORDER BY lane, event_position LIMIT 1000) AS pending`,
    [id],
  );
  return rows[0].minutes;
}

function namesOf(webhooks) {
  const names = webhooks.slice(0, 3).map(({ id, url }) => `${new URL(url).host} (${id})`);
  return `${names.join(', ')}${webhooks.length > 3 ? ', …' : ''}`;
}

/** Returns a note where autovacuum does not freeze old rows, or null. */
export async function checkTransactionAge(client) {
  const { rows } = await client.query(
    'SELECT age(datfrozenxid) AS age FROM pg_database WHERE datname = current_database()',
  );
  if (rows[0].age <= OLD_TRANSACTIONS) return null;
  return note(
    `its oldest rows are ${(rows[0].age / 1e9).toFixed(1)} billion transactions old, and PostgreSQL refuses to write at 2 billion`,
    'end old transactions, replication slots and prepared transactions, then run `VACUUM (FREEZE)` in this database as a superuser; docs/operations.md, "AwpTransactionAge"',
  );
}
