import { withClient } from '../keys/database.mjs';
import { isMade } from './database.mjs';
import { note, ok } from './verdict.mjs';

/** Some chore is due every minute, and each process looks once per minute. */
const SILENT_MINUTES = 5;

const DOES = {
  all: 'requests, MCP servers and background work',
  api: 'requests and MCP servers',
  worker: 'background work',
};

/** Says what this process does, and whether another one does the background work that its role leaves out. */
export async function checkRole(settings) {
  const says = `${settings.role}: ${DOES[settings.role]}`;
  if (settings.duties.background || !(await isMade(settings))) return ok(says);
  const minutes = await withClient(settings, silentMinutes);
  if (minutes !== null && minutes < SILENT_MINUTES) return ok(says);
  return note(
    `${says}; ${minutes === null ? 'no process has done background work yet' : `the last background work was done ${Math.floor(minutes)} minutes ago`}`,
    'start a process with ROLE=worker on this database: it delivers webhooks, expires gates and deletes what is due',
  );
}

/** Returns the minutes since the last chore; null where none has ever run. */
async function silentMinutes(client) {
  const { rows: tables } = await client.query(`SELECT to_regclass('chores') AS found`);
  if (!tables[0].found) return null;
  const { rows } = await client.query(
    `SELECT extract(epoch FROM now() - max(ran_at))::float8 / 60 AS minutes FROM chores`,
  );
  return rows[0].minutes;
}
