import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** How long a file that is imported may take to arrive (contract §1.4). */
const LONGEST_MS = 1_800_000;

const allowed = new WeakSet<Duplex>();

/**
 * Lets the body of a request take 30 minutes in place of the 60 seconds of any other. A gibibyte takes 90 seconds at 100 Mbit/s. The caller has
 * authenticated its client.
 */
export function allowLongUpload(request: IncomingMessage): void {
  const { socket } = request;
  allowed.add(socket);
  const late = setTimeout(() => request.destroy(), LONGEST_MS);
  request.once('close', () => {
    clearTimeout(late);
    allowed.delete(socket);
  });
}

/** Whether Node's limit of a whole request does not hold for what this connection receives now. */
export const isLongUpload = (socket: Duplex): boolean => allowed.has(socket);
