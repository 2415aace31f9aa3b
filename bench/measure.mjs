import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

const CONNECTIONS = 64;
const SECONDS = 4;
/** Jiffies of /proc a second: fixed on Linux. */
const TICKS = 100;

/** One sample: requests a second, and the server's processor time an operation. */
export async function measure(arena, server, one) {
  await one.prepare?.(arena);
  const before = processorSeconds(server.child.pid);
  let connection = 0;
  const result = await autocannon({
    url: server.url,
    connections: CONNECTIONS,
    duration: SECONDS,
    timeout: 30,
    ...(one.perAgent
      ? { setupClient: (client) => client.setRequests(one.requests(arena, connection++)) }
      : { requests: one.requests(arena) }),
    ...(one.perAgent && { requests: one.requests(arena, 0) }),
  });
  const cpu = processorSeconds(server.child.pid) - before;
  return {
    perSecond: result['2xx'] / result.duration,
    cpuMs: (cpu / Math.max(1, result['2xx'])) * 1000,
    p50: result.latency.p50,
    faults: result.non2xx + result.errors,
  };
}

function processorSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}
