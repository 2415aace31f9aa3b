import { readdirSync, readFileSync } from 'node:fs';
import { load } from './load.mjs';

const CONNECTIONS = 64;
const SECONDS = 4;
/** Clock ticks of /proc per second, fixed on Linux. */
const TICKS = 100;

/** Takes one sample: requests per second, and the processor time per operation of the server's processes and of PostgreSQL. */
export async function measure(arena, server, one) {
  await one.prepare?.(arena);
  const before = processorSeconds(server.child.pid);
  const databaseBefore = processorSeconds(arena.postgresPid);
  const requestsOf = (connection) => one.requests(arena, connection);
  const start = performance.now();
  const { ok, faults, latencies } = await load({
    url: server.url,
    connections: CONNECTIONS,
    seconds: SECONDS,
    requestsOf,
  });
  const seconds = (performance.now() - start) / 1000;
  const cpu = processorSeconds(server.child.pid) - before;
  const databaseCpu = processorSeconds(arena.postgresPid) - databaseBefore;
  return {
    perSecond: ok / seconds,
    cpuMs: (cpu / Math.max(1, ok)) * 1000,
    databaseMs: (databaseCpu / Math.max(1, ok)) * 1000,
    p50: latencies.toSorted((a, b) => a - b)[latencies.length >> 1],
    faults,
  };
}

/** Of a process and those that it started and that still run, and of those that it has waited for. */
function processorSeconds(pid) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)));
  const family = new Set([pid]);
  // A child may have a lower number than its parent.
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid: child, parent } of all) if (family.has(parent)) family.add(child);
  }
  return all.filter((one) => family.has(one.pid)).reduce((sum, { ticks }) => sum + ticks, 0) / TICKS;
}

function statOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return [{ pid, parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) }];
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
