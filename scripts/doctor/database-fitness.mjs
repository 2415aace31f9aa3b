// What a database must be for this service, beside what a start refuses. Each check returns a verdict, or null where it finds nothing.
import { partsFor } from '../../dist/src/platform/config/process-roles-and-plan.js';
import { knownMigrations, knownTables } from './known-schema.mjs';
import { note, problem } from './verdict.mjs';

/** The tables of another program make the first migration fail, or are taken for a later build. */
export async function checkOwnTables(client) {
  const { rows } = await client.query(
    `SELECT relname AS name, has_table_privilege(oid, 'SELECT') AS "mayRead" FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') ORDER BY relname`,
  );
  const migrations = rows.find(({ name }) => name === 'migrations');
  if (migrations) return migrations.mayRead ? judgeMigrations(client) : null;
  const own = new Set(await knownTables());
  const taken = rows.filter(({ name }) => own.has(name)).map(({ name }) => name);
  return taken.length === 0 ? null : foreign(client, `it has tables of another program: ${listOf(taken)}`);
}

async function judgeMigrations(client) {
  const { rows } = await client.query('SELECT timestamp::text FROM migrations');
  const known = await knownMigrations();
  if (rows.length === 0 || rows.some(({ timestamp }) => known.includes(timestamp))) return null;
  return foreign(client, 'its table migrations is of another program');
}

function foreign(client, says) {
  const database = client.escapeIdentifier(`${client.database}_awp`);
  const statement = `CREATE DATABASE ${database} OWNER ${client.escapeIdentifier(client.user)}`;
  return problem(
    says,
    `make a database of its own with \`${statement}\` in psql as a superuser, and set DATABASE_URL to it`,
  );
}

/** A role that may read, or that some tables were granted to, begins well and fails at the first write or migration. */
export async function checkRights(client) {
  const { rows } = await client.query(
    `SELECT c.relname AS name, c.relowner::regrole::text AS owner, quote_ident(session_user) AS login,
       has_table_privilege(c.oid, 'SELECT') AND has_table_privilege(c.oid, 'INSERT')
         AND has_table_privilege(c.oid, 'UPDATE') AND has_table_privilege(c.oid, 'DELETE') AS "mayWrite",
       pg_has_role(c.relowner, 'USAGE') AS "mayAlter"
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND to_regclass('public.migrations') IS NOT NULL
     ORDER BY c.relname`,
  );
  const unwritten = rows.find(({ mayWrite }) => !mayWrite);
  const unaltered = rows.find(({ mayAlter }) => !mayAlter);
  if (unwritten)
    return problem(
      `its user ${unwritten.login} may not write the table ${unwritten.name}, which belongs to ${unwritten.owner}`,
      becoming(unwritten),
    );
  if (!unaltered) return null;
  return note(
    `its user ${unaltered.login} does not own the table ${unaltered.name}, which belongs to ${unaltered.owner}: a later migration fails`,
    becoming(unaltered),
  );
}

/** regrole has quoted the names where that is needed. */
function becoming({ owner, login }) {
  return `run \`GRANT ${owner} TO ${login}; ALTER ROLE ${login} SET role TO ${owner}\` in psql as a superuser, or set DATABASE_URL to the user ${owner}`;
}

/** In another encoding each text with a character that it lacks is refused. */
export async function checkEncoding(client) {
  const { encoding } = (await client.query(`SELECT current_setting('server_encoding') AS encoding`)).rows[0];
  if (encoding === 'UTF8') return null;
  const name = client.escapeIdentifier(`${client.database}_utf8`);
  const statement = `CREATE DATABASE ${name} OWNER ${client.escapeIdentifier(client.user)} ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0`;
  return problem(
    `its encoding is ${encoding}, which many texts do not fit into`,
    `make another one with \`${statement}\` in psql as a superuser, restore a backup into it where this one is in use, and set DATABASE_URL to it`,
  );
}

/** Beside its pool a process listens for notifications and looks whether its password is still good; webhooks have five. */
const BESIDE_POOL = 2;
const FOR_WEBHOOKS = 5;
/** The least that a pool works with. */
const LEAST_POOL = 2;

const LIMITS = `
  SELECT r.rolconnlimit AS role, r.rolname AS login, d.datconnlimit AS database,
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0) AS server
  FROM pg_roles r, pg_database d WHERE r.rolname = session_user AND d.datname = current_database()`;

/** A start that may not open its connections answers 503 as soon as it needs them all. */
export async function checkConnections(client, settings) {
  const processes = partsFor(settings.apis, settings.role).length || 1;
  const wanted = connectionsOf(settings, processes, settings.databasePoolSize);
  const { role, login, database, server } = (await client.query(LIMITS)).rows[0];
  const tooFew = (who, limit, raise) =>
    note(
      `${who} may have ${limit} connections, and this service opens up to ${wanted}${processes > 1 ? ` in ${processes} processes` : ''}`,
      [raise, lower(settings, processes, limit)].filter(Boolean).join(', or '),
    );
  const alter = (what) => `run \`ALTER ${what} CONNECTION LIMIT -1\` in psql as a superuser`;
  if (role >= 0 && role < wanted)
    return tooFew(`its user ${login}`, role, alter(`ROLE ${client.escapeIdentifier(login)}`));
  if (database >= 0 && database < wanted)
    return tooFew('it', database, alter(`DATABASE ${client.escapeIdentifier(client.database)}`));
  if (server < wanted) return tooFew('its server', server, 'raise max_connections of that PostgreSQL');
  return null;
}

/** A pooler has the connections of the pools, and one process does the background work of all. */
function connectionsOf({ isDatabasePooled, duties }, processes, pool) {
  return processes * (BESIDE_POOL + (isDatabasePooled ? 0 : pool)) + (duties.background ? FOR_WEBHOOKS : 0);
}

/** Returns the settings with which the service has enough of them, or null where none do. */
function lower(settings, processes, limit) {
  const fitting = (count) => (limit - connectionsOf(settings, count, 0)) / count;
  if (!settings.isDatabasePooled && fitting(processes) >= LEAST_POOL)
    return `set DATABASE_POOL_SIZE=${Math.floor(fitting(processes)) * settings.apis}`;
  if (processes > 1 && fitting(1) >= LEAST_POOL)
    return `set PROCESSES=1 and DATABASE_POOL_SIZE=${Math.floor(fitting(1))}`;
  return null;
}

function listOf(names) {
  return `${names.slice(0, 3).join(', ')}${names.length > 3 ? ', …' : ''}`;
}
