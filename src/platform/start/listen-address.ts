import { once } from 'node:events';
import { createServer } from 'node:net';
import { listenError, type Address } from './listen-error.js';

/**
 * Listens once on the address and stops again, so that a wrong HOST or PORT ends the start before the database opens.
 * @throws {StartError} when the address cannot be used
 */
export async function probeAddress(address: Address): Promise<void> {
  const server = createServer((socket) => socket.destroy());
  try {
    server.listen(address.port, address.host);
    await once(server, 'listening');
  } catch (error) {
    throw listenError(address, error);
  } finally {
    server.close();
  }
}
