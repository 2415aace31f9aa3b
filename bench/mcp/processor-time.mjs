import { readdirSync, readFileSync } from 'node:fs';

/** Jiffies of /proc a second: fixed on Linux. */
const TICKS = 100;

/** Processor seconds so far of a process, and of it with all its living descendants. */
export function processorSeconds(pid) {
  const rows = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(rowOf);
  const own = rows.find((row) => row.pid === pid)?.seconds ?? 0;
  return { own, tree: treeSeconds(pid, rows) };
}

/** The process of PostgreSQL that all sessions of its database belong to, given one of them. */
export async function postmasterOf(client) {
  const { rows } = await client.query('SELECT pg_backend_pid() AS pid');
  return rowOf(String(rows[0].pid))[0].parent;
}

function treeSeconds(pid, rows) {
  const own = rows.find((row) => row.pid === pid)?.seconds ?? 0;
  return rows
    .filter(({ parent }) => parent === pid)
    .reduce((sum, child) => sum + treeSeconds(child.pid, rows), own);
}

function rowOf(name) {
  try {
    const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS;
    return [{ pid: Number(name), parent: Number(fields[1]), seconds }];
  } catch {
    return [];
  }
}
