import { connect } from 'node:net';

/**
 * Sends requests over a number of connections for a time, one after the other on each, and counts the responses. It is
 * written by hand because the load shares the processor with what it measures: the bytes of a request are made once, and
 * only the status and the length of a response are read.
 * @param url the address, or several, of which each connection has one
 * @param requestsOf the requests that a connection sends in turn, given its number
 * @returns the number of 2xx responses, of others, the bytes of all responses, and the latencies in ms
 */
export async function load({ url, connections, seconds, requestsOf }) {
  const total = { ok: 0, faults: 0, bytes: 0, latencies: [], end: performance.now() + seconds * 1000 };
  const addresses = [url].flat().map((one) => new URL(one));
  const each = Array.from({ length: connections }, (_, number) =>
    oneConnection(addresses[number % addresses.length], requestsOf(number).map(bytesOf), number, total),
  );
  await Promise.all(each);
  return total;
}

export function bytesOf({ method, path, headers, body = '' }) {
  const lines = Object.entries({ host: 'bench', ...headers, 'content-length': Buffer.byteLength(body) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}

function oneConnection(address, requests, number, total) {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: address.hostname, port: Number(address.port), noDelay: true });
    let turn = (number * 7919) % requests.length;
    let start = 0;
    const send = () => {
      start = performance.now();
      if (start >= total.end) return void socket.end(resolve);
      socket.write(requests[turn++ % requests.length]);
    };
    const answered = (status, bytes) => {
      total.bytes += bytes;
      if (status >= 200 && status < 300) total.ok++;
      else total.faults++;
      total.latencies.push(performance.now() - start);
      send();
    };
    socket.on('connect', send);
    socket.on('data', answersIn(answered));
    socket.on('error', reject);
  });
}

/** Calls back with the status and the bytes of each complete response. All responses of the service state their length. */
function answersIn(answered) {
  let held = Buffer.alloc(0);
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    const end = held.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = held.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (held.length < end + 4 + length) return;
    held = held.subarray(end + 4 + length);
    answered(Number(head.slice(9, 12)), end + 4 + length);
  };
}
