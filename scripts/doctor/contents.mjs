import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BACKUP, endsOf, RESTORE_DRILL } from '../backup/recorded-ends.mjs';
import { askMigrated } from './asked-database.mjs';
import { note, ok, problem } from './verdict.mjs';

const BACKUP_DAYS = 2;
const DRILL_DAYS = 15;
const KEY_DAYS = 14;
const CLOCK_NOTE_MS = 2_000;
const CLOCK_PROBLEM_MS = 60_000;
/** As at a start: another process may be installing into a younger folder. */
const SETTLED_MS = 10 * 60_000;
const NO_DATABASE = 'checked once the database is there and migrated';

/** The facts of each installation, read once: a stopped embedded database is started for it. */
const read = new WeakMap();

/** Leases follow the clock of the database, and the expiry of keys that of this host. */
export async function checkClock(settings) {
  const facts = await factsOf(settings);
  if (!facts) return ok(NO_DATABASE);
  const seconds = `${(Math.abs(facts.clockOffset) / 1000).toFixed(1)} s apart from the clock of the database`;
  const fix = 'synchronise the clocks of both hosts, for instance with chrony';
  if (Math.abs(facts.clockOffset) > CLOCK_PROBLEM_MS) return problem(seconds, fix);
  return Math.abs(facts.clockOffset) > CLOCK_NOTE_MS ? note(seconds, fix) : ok(seconds);
}

export async function checkKeyExpiry(settings) {
  const facts = await factsOf(settings);
  if (!facts) return ok(NO_DATABASE);
  if (facts.expiring.length === 0) return ok(`none expires within ${KEY_DAYS} days`);
  const names = facts.expiring.map(({ name, date }) => `'${name}' on ${date}`);
  return note(
    `${names.length} expire within ${KEY_DAYS} days: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`,
    'create new keys, use them in place of these, and revoke these',
  );
}

/** A start removes folders of servers that are not installed, so many of them mean that something went wrong. */
export async function checkPackages(settings) {
  const facts = await factsOf(settings);
  const folders = await serverFolders(settings.dataDir);
  if (!facts) return ok(`${folders.length} folders of servers`);
  const unknown = folders.filter((name) => !facts.serverIds.includes(name));
  const orphaned = [];
  for (const name of unknown)
    if (await isSettled(join(foldersIn(settings.dataDir), name))) orphaned.push(name);
  if (orphaned.length === 0) return ok(`${folders.length} folders of servers, none orphaned`);
  return note(
    `${orphaned.length} folders belong to no installed server`,
    'restart the service, which removes them',
  );
}

/** Reads what the commands record in the database: their folders may be on another host, or in a bucket. */
export async function checkBackup(settings) {
  const facts = await factsOf(settings);
  if (!facts) return ok('nothing to back up yet');
  const run = 'run `npm run backup -- FOLDER` every day; ignore this if another program makes the backups';
  if (!facts.backup) return note('none was made by npm run backup', run);
  const { failures, daysSinceSuccess: days } = facts.backup;
  const says = days === null ? 'none has succeeded yet' : `the last one is ${days} day(s) old`;
  if (failures > 0)
    return note(
      `the last ${failures} attempt(s) failed; ${says}`,
      'run `npm run backup -- FOLDER`, which names the cause',
    );
  return days >= BACKUP_DAYS ? note(says, run) : judgeDrill(says, facts.drill);
}

/** Only a restore proves that a backup works. */
function judgeDrill(says, drill) {
  const days = drill?.daysSinceSuccess ?? null;
  const fix =
    'run `npm run restore:drill -- FOLDER --ring FOLDER` every week, with the folders of the backup';
  if (drill?.failures > 0) return note(`${says}; the last ${drill.failures} restore(s) on trial failed`, fix);
  if (days === null) return note(`${says}; none was restored on trial yet`, fix);
  if (days >= DRILL_DAYS) return note(`${says}; the last restore on trial is ${days} day(s) old`, fix);
  return ok(`${says}; one was restored on trial ${days} day(s) ago`);
}

/** Returns null when there is no database. */
async function factsOf(settings) {
  if (!read.has(settings)) read.set(settings, readFacts(settings));
  return read.get(settings);
}

async function readFacts(settings) {
  return askMigrated(settings, async (client) => ({
    clockOffset: await clockOffset(client),
    backup: await endsOf(client, BACKUP),
    drill: await endsOf(client, RESTORE_DRILL),
    ...(await rowsOf(client)),
  }));
}

/** Compares with the middle of the round trip. */
async function clockOffset(client) {
  const begin = Date.now();
  const { rows } = await client.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS now');
  return Number(rows[0].now) - (begin + Date.now()) / 2;
}

/** A key of a session ends within minutes, as it should. */
async function rowsOf(client) {
  const expiring = await client.query(
    `SELECT name, to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date FROM api_keys
     WHERE session_id IS NULL AND expires_at BETWEEN now() AND now() + make_interval(days => $1) ORDER BY expires_at`,
    [KEY_DAYS],
  );
  const servers = await client.query('SELECT id::text FROM installed_servers');
  return { expiring: expiring.rows, serverIds: servers.rows.map(({ id }) => id) };
}

const foldersIn = (dataDir) => join(dataDir, 'mcp', 'servers');

/** The folder does not exist before the first installation. */
async function serverFolders(dataDir) {
  try {
    return await readdir(foldersIn(dataDir));
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
}

async function isSettled(folder) {
  try {
    return Date.now() - (await stat(folder)).mtimeMs > SETTLED_MS;
  } catch (error) {
    if (error.code === 'ENOENT') return false; // Its server was removed meanwhile.
    throw error;
  }
}
