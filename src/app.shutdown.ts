import type { Server } from 'node:http';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AnnouncementWorker } from './mcp/installed-servers/hosts/announcement.worker.js';
import { OpenCallsService } from './gateway/mcp-endpoint/calls/open-calls.service.js';
import type { DatabaseServer } from './platform/database/database-server.js';
import { Settings } from './platform/config/settings.js';
import { ReadinessService } from './platform/health/readiness.service.js';
import { drainConnections } from './platform/http/connection-drain.js';
import { InFlight } from './platform/http/in-flight.js';
import { endTracing } from './platform/tracing/open-telemetry.js';

/** Open tool calls may finish in this time; then each is answered that its outcome is unknown. */
const CALL_GRACE_MS = 3_500;
/** Requests in flight may finish in this time; the rest is refused. */
const GRACE_MS = 4_000;
/** The limit of the whole shutdown (contract §8.6). */
export const DEADLINE_MS = 10_000;
/** A proxy may still send requests on its open connections in this time; then those that it leaves idle are closed. */
const PROXY_MS = 2_000;
/** The calls of a tools host may finish in this time, before the rest of its shutdown. */
export const DRAIN_MS = 25_000;

/** Ends the application: not ready any more, then requests, child processes, pool and database. */
export async function shutDown(app: NestExpressApplication, database: DatabaseServer): Promise<void> {
  app.get(ReadinessService).stop();
  await app.get(AnnouncementWorker, { strict: false }).drain(DRAIN_MS);
  const server = app.getHttpServer() as Server;
  const inFlight = app.get(InFlight);
  const { duties, trustedProxies } = app.get(Settings);
  if (duties.requests && trustedProxies.length > 0) await drainConnections(server, inFlight, PROXY_MS);
  inFlight.close();
  const answer = setTimeout(() => app.get(OpenCallsService).answerAll(), CALL_GRACE_MS);
  const refuse = setTimeout(() => {
    inFlight.refuseAll();
    setTimeout(() => server.closeAllConnections(), 200);
  }, GRACE_MS);
  await app.close();
  clearTimeout(answer);
  clearTimeout(refuse);
  await endTracing();
  await database.stop();
}
