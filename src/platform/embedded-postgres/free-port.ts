import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns a free port of 127.0.0.1 below 32768, where the ports of outgoing connections begin: no connection takes it
 * while the server is down, and a restarted server keeps its address.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_240, 32_768);
    if (await canListen(port)) return port;
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
    );
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
