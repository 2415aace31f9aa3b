import type { Server as HttpServer } from 'node:http';
import { Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InFlight } from './in-flight.js';

const LOOK_MS = 50;

/**
 * Hands the requests of a proxy over to other processes without losing one. New connections are refused, so that the
 * proxy opens them elsewhere. What still arrives on open connections is served, and each ends with its response. Resolves
 * when no connection is idle, or after `withinMs`.
 *
 * A connection that is closed while the proxy sends a request on it would lose that request. The proxy cannot know whether it was
 * received, so it must not send it again unless the request only reads.
 */
export async function drainConnections(
  server: HttpServer,
  inFlight: InFlight,
  withinMs: number,
): Promise<void> {
  // The method of the HTTP server would close idle connections at once.
  Server.prototype.close.call(server);
  inFlight.endConnections();
  const until = performance.now() + withinMs;
  while (performance.now() < until && (await connectionsOf(server)) > inFlight.count) await sleep(LOOK_MS);
}

function connectionsOf(server: HttpServer): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
}
