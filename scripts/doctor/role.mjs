import { askMigrated, isMade } from './asked-database.mjs';
import { note, ok } from './verdict.mjs';

/** Some chore is due every minute, and each process looks once per minute. */
const SILENT_MINUTES = 5;

const DOES = {
  all: 'requests, MCP servers and background work',
  api: 'requests',
  tools: 'MCP servers',
  worker: 'background work',
};

/** Says what this process does, and whether other processes do what its role leaves out. */
export async function checkRole(settings) {
  const says = `${settings.role}: ${DOES[settings.role]}${processesOf(settings)}`;
  if (settings.role === 'all' || !(await isMade(settings))) return ok(says);
  const gaps = gapsOf(settings.duties, (await askMigrated(settings, factsOf)) ?? NOTHING);
  if (gaps.length === 0) return ok(says);
  return note([says, ...gaps.map((gap) => gap.says)].join('; '), gaps.map(({ fix }) => fix).join('; '));
}

/** Says among how many processes a start of this machine divides the work. */
function processesOf({ apis, role }) {
  if (apis === 1) return '';
  return `, in ${apis} processes for requests${role === 'all' ? ' and one for the rest' : ''} (PROCESSES)`;
}

function gapsOf({ servers, requests, background }, { minutes, hosts }) {
  const gaps = [];
  if (requests && !servers && hosts === 0)
    gaps.push({
      says: 'no tools host is announced',
      fix: 'start a process with ROLE=tools on this database: it runs the MCP servers',
    });
  if (!background && (minutes === null || minutes >= SILENT_MINUTES))
    gaps.push({
      says:
        minutes === null
          ? 'no process has done background work yet'
          : `the last background work was done ${Math.floor(minutes)} minutes ago`,
      fix: 'start a process with ROLE=worker on this database: it delivers webhooks, expires gates and deletes what is due',
    });
  return gaps;
}

/** Before the first start, and before the next one migrates. */
const NOTHING = { minutes: null, hosts: 0 };

/** Reads how many minutes ago the last chore was run, null where none ever was, and how many tools hosts there are. */
async function factsOf(client) {
  const { rows } = await client.query(
    `SELECT (SELECT extract(epoch FROM now() - max(ran_at))::float8 / 60 FROM chores) AS minutes,
       (SELECT count(*)::int FROM tools_hosts WHERE seen_at > now() - interval '5 seconds') AS hosts`,
  );
  return rows[0];
}
