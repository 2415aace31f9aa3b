import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { DatabaseServer } from './platform/database/database-server.js';
import { Readiness } from './platform/health/readiness.js';
import { InFlight } from './platform/http/in-flight.js';

/** What is in flight may finish in this time; then it is refused. */
const GRACE_MS = 4_000;
/** The whole shutdown takes no longer (spec §8). */
const DEADLINE_MS = 10_000;

/** Ends the service on SIGTERM and SIGINT: readiness off, requests finished, children ended, pool and database closed. */
export function endOnSignals(app: NestExpressApplication, database: DatabaseServer): void {
  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), DEADLINE_MS);
    await shutDown(app, database);
    process.exit(0);
  };
  process.on('SIGTERM', () => void end());
  process.on('SIGINT', () => void end());
  // Node opens its debugger on SIGUSR1, for whoever may send a signal: a server process must not be able to.
  process.on('SIGUSR1', () => undefined);
}

async function shutDown(app: NestExpressApplication, database: DatabaseServer): Promise<void> {
  app.get(Readiness).stop();
  const server = app.getHttpServer() as Server;
  const inFlight = app.get(InFlight);
  inFlight.close();
  const refuse = setTimeout(() => {
    inFlight.refuseAll();
    setTimeout(() => server.closeAllConnections(), 200);
  }, GRACE_MS);
  await app.close();
  clearTimeout(refuse);
  await database.stop();
}
