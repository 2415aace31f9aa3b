import { readFileSync } from 'node:fs';
import { load } from './load.mjs';

const CONNECTIONS = 64;
const SECONDS = 4;
/** Clock ticks of /proc per second, fixed on Linux. */
const TICKS = 100;

/** Takes one sample: requests per second, and the server's processor time per operation. */
export async function measure(arena, server, one) {
  await one.prepare?.(arena);
  const before = processorSeconds(server.child.pid);
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
  return {
    perSecond: ok / seconds,
    cpuMs: (cpu / Math.max(1, ok)) * 1000,
    p50: latencies.toSorted((a, b) => a - b)[latencies.length >> 1],
    faults,
  };
}

function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
