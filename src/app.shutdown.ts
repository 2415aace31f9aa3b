import type { Server } from 'node:http';
import { isatty } from 'node:tty';
import { format } from 'node:util';
import { Logger } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { reloading } from './app.reload.js';
import { OpenCallsService } from './gateway/tool-calls/tool-calls.service.js';
import { AnnouncementWorker } from './mcp/tools-endpoint/tools-endpoint-and-announcement.worker.js';
import { Settings } from './platform/config/settings.js';
import type { ParentChannel } from './platform/config/parent-channel.js';
import type { DatabaseServer } from './platform/embedded-postgres/embedded-postgres.js';
import { ENDING_SIGNALS, EXIT_RETRY } from './platform/exit/exit-codes.js';
import { MetricsService } from './platform/health/metrics.service.js';
import { ReadinessService } from './platform/health/health.controller.js';
import {
  drainConnections,
  InFlight,
  outlastConnections,
} from './platform/http/in-flight-connections-and-slow-readers.js';
import { forgetListening } from './platform/start/listen-address.js';
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

/** How long a process may finish what it has, where another one has its place. */
interface Drain {
  ms: number;
  /** Ends it early: the whole start ends. */
  cut: AbortSignal;
}

/**
 * Ends the application: not ready any more, then requests, child processes, pool and database.
 * @param drain how long requests may finish first, where another process has the place of this one
 */
export async function shutDown(
  app: NestExpressApplication,
  database: DatabaseServer,
  drain: Drain | null = null,
): Promise<void> {
  const server = app.getHttpServer() as Server;
  const inFlight = app.get(InFlight);
  const { duties, trustedProxies } = app.get(Settings);
  if (drain && duties.requests) await outlastConnections(server, inFlight, drain.ms, drain.cut);
  app.get(ReadinessService).stop();
  const handedOver = app
    .get(AnnouncementWorker, { strict: false })
    .drain(hostDrainMs(app.get(Settings), drain));
  await (drain ? Promise.race([handedOver, isCut(drain.cut)]) : handedOver);
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

function isCut(cut: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (cut.aborted) resolve();
    else cut.addEventListener('abort', () => resolve(), { once: true });
  });
}

/**
 * How long the calls of a tools host may last. The host of a start ends after all who could call it; one that another has replaced has time for
 * every call that may be made.
 */
function hostDrainMs({ parent }: Settings, drain: Drain | null): number {
  return drain?.ms ?? (parent ? 0 : DRAIN_MS);
}

const STDOUT = 1;
const HAD_TERMINAL = isatty(STDOUT);

const log = new Logger('Process');

/** Connects the process to its application: what ends it, and what must not end it (contract §8.6). */
export function attachProcess(app: NestExpressApplication, database: DatabaseServer): void {
  const end = ending(app, database);
  const { parent } = app.get(Settings);
  const reload = reloading(app);
  if (parent) obey(parent, end);
  else {
    for (const signal of ENDING_SIGNALS) process.on(signal, () => end(`${signal} was received`, 0));
    hangUp(end, reload);
  }
  // Node opens its debugger on SIGUSR1: an MCP server process, which may send signals, must not be able to do that.
  process.on('SIGUSR1', () => undefined);
  surviveRejections(app.get(MetricsService, { strict: false }));
  logWhatLibrariesPrint();
  endOnExceptions(end);
}

/** The supervisor ends its processes in order. A signal to their whole group, such as Ctrl-C, concerns it alone. */
function obey(parent: ParentChannel, end: End): void {
  for (const signal of [...ENDING_SIGNALS, 'SIGHUP'] as const)
    process.on(signal, () => {
      if (signal === 'SIGTERM') end('SIGTERM was received', 0);
    });
  parent.onEnd((reason, drainMs) => end(reason, 0, drainMs));
}

/** SIGHUP reads again what can change in operation. It also comes when the terminal closes in which the service runs. */
function hangUp(end: End, reload: () => Promise<void>): void {
  process.on('SIGHUP', () => {
    if (isTerminalGone()) end('its terminal was closed', 0);
    else void reload();
  });
}

const isTerminalGone = (): boolean => HAD_TERMINAL && !isatty(STDOUT);

type End = (reason: string, exitCode: number, drainMs?: number) => void;

/** Returns the function that shuts the service down once, within the deadline. Called again, it ends the time that a replaced process has. */
function ending(app: NestExpressApplication, database: DatabaseServer): End {
  let cut: AbortController | null = null;
  return (reason, exitCode, drainMs = 0) => {
    if (cut) return cut.abort();
    cut = new AbortController();
    log.log(`The service shuts down: ${reason}.`);
    void finish(app, database, exitCode, { ms: drainMs, cut: cut.signal });
  };
}

async function finish(
  app: NestExpressApplication,
  database: DatabaseServer,
  exitCode: number,
  drain: Drain,
): Promise<void> {
  const { role, dataDir } = app.get(Settings);
  setTimeout(() => process.exit(EXIT_RETRY), drain.ms + (role === 'tools' ? DRAIN_MS : 0) + DEADLINE_MS);
  try {
    await shutDown(app, database, drain.ms > 0 ? drain : null);
    // The record of a process that has ended is ignored, so it may stay.
    await forgetListening(dataDir).catch(() => undefined);
  } catch (error) {
    log.error(`The shutdown failed: ${textOf(error)}`);
    exitCode = EXIT_RETRY;
  }
  // On its way out Node restores the mode of its terminal, and aborts with a core dump where that has closed.
  if (isTerminalGone()) process.kill(process.pid, 'SIGKILL');
  process.exit(exitCode);
}

/**
 * The last guard. A rejection that no code handles belongs to work that no caller waits for, such as a statement that a
 * library sends by itself. It can leave nothing half done here: every change of state is one transaction of the
 * database, and what a process holds in memory is read from it again. Node would end the process.
 */
function surviveRejections(metrics: MetricsService): void {
  const counter = metrics.counter(
    'awp_unhandled_rejections_total',
    'Rejected promises that no code handled. Each is a bug of the service or of a library, and in the log.',
    [],
  );
  process.on('unhandledRejection', (reason) => {
    counter.inc();
    log.error({ msg: 'A rejected promise was not handled. The service goes on.', error: textOf(reason) });
  });
}

/** Libraries that print, such as graphile-worker, would write lines that are no lines of the log (contract §8.1). */
function logWhatLibrariesPrint(): void {
  const library = new Logger('Library');
  const warn = (...said: unknown[]): void => library.warn(printed(said));
  const debug = (...said: unknown[]): void => library.debug(printed(said));
  // A trace repeats an error that its caller gets.
  Object.assign(globalThis.console, { error: warn, warn, log: debug, info: debug, debug, trace: debug });
}

/** The text that `console` would print, but of an error its message alone. */
function printed(said: unknown[]): string {
  return format(...said.map((one) => (one instanceof Error ? String(one) : one)));
}

/** An exception leaves the functions that it interrupted half done, so the process ends, in order, and is started again. */
function endOnExceptions(end: End): void {
  process.on('uncaughtException', (error) => {
    log.fatal({ msg: 'An exception was not caught.', error: textOf(error) });
    end('an exception was not caught', EXIT_RETRY);
  });
}

function textOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
