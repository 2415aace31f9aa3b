import { once } from 'node:events';
import { createServer } from 'node:net';
import { fault, nameOf, ok } from './verdict.mjs';

const MENDS = {
  EADDRINUSE: 'stop the program that listens there, or set PORT to a free one',
  EACCES: 'ports below 1024 need a right of their own: set PORT to a higher one, with a proxy before it',
  EADDRNOTAVAIL: 'set HOST to an address of this host, such as 127.0.0.1 or 0.0.0.0',
  ENOTFOUND: 'set HOST to an address of this host, such as 127.0.0.1 or 0.0.0.0',
};

/** Free, or taken by this very service. */
export async function checkPort({ host, port, tls }) {
  const address = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, 'listening');
    return ok(`${address} is free`);
  } catch (error) {
    if (error.code === 'EADDRINUSE' && (await isService(host, port, tls)))
      return ok(`the service listens at ${address}`);
    return fault(
      `${address} can't be listened at (${nameOf(error)})`,
      MENDS[error.code] ?? 'set HOST and PORT',
    );
  } finally {
    server.close();
  }
}

/** The certificate may be for any name: over TLS nothing is asked but whether it is the service's port. */
async function isService(host, port, tls) {
  if (tls) return false;
  const local = { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const answer = await fetch(`http://${local}:${port}/readyz`, { signal: AbortSignal.timeout(3_000) });
    return Object.hasOwn((await answer.json()).checks ?? {}, 'keyRing');
  } catch {
    return false;
  }
}
