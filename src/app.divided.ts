import { isatty } from 'node:tty';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { summaryOf, warningsOf } from './app.summary.js';
import type { SandboxLevel } from './mcp/processes/sandbox/launch-command.js';
import type { Settings } from './platform/config/settings.js';
import type { DatabaseServer } from './platform/embedded-postgres/embedded-postgres.js';
import { ENDING_SIGNALS, EXIT_RETRY } from './platform/exit/exit-codes.js';
import type { StartLog } from './platform/logging/json-logger-and-start-log.js';
import { HealthEndpoint } from './platform/processes/health-endpoint.js';
import { Primary } from './platform/processes/process-supervisor.js';
import type { Part } from './platform/config/process-roles-and-plan.js';
import type { ProbedDatabase } from './platform/start/pooler-standby-and-version-checks.js';
import { forgetListening, recordListening } from './platform/start/listen-address.js';

/** The limit of the whole shutdown (contract §8.6), without that of the tools host, which ends last. Processes that do not end are killed. */
const DEADLINE_MS = 20_000;
/** The database stops after them. */
const DATABASE_MS = 10_000;
const STDOUT = 1;
const HAD_TERMINAL = isatty(STDOUT);

/** What a start has opened so far. */
export interface Opened {
  /** In the form that the environment names, until the settings are read. */
  log: StartLog;
  settings: Settings | null;
  /** The database, which may still be starting. */
  opening: Promise<DatabaseServer> | null;
  app: NestExpressApplication | null;
  /** The supervisor of the processes among which this start is divided. */
  primary: Primary | null;
}

interface Divided {
  settings: Settings;
  log: StartLog;
  /** null: the embedded database. */
  probed: ProbedDatabase | null;
  parts: readonly Part[];
  opening: Promise<DatabaseServer>;
}

/**
 * Starts the processes among which the work of this start is divided (contract §9.5), and supervises them until a signal
 * ends it. Returns the address when the start is ready (decision 0072).
 * @throws {PartFailed} when one of them could not start
 */
export async function startDivided(start: Divided, opened: Opened): Promise<string> {
  const { settings, log, parts } = start;
  const primary = (opened.primary = new Primary(parts, log.logger, (owner) => log.owner(owner)));
  attachSignals(primary, start);
  const all = await primary.start(start.opening.then(({ url }) => url));
  if (settings.healthPort !== null)
    await new HealthEndpoint(() => primary.readiness()).listen(settings.host, settings.healthPort);
  const { address, port } = all.find((ready) => ready.address !== '')!;
  // The last one runs the servers where this start has any.
  const sandbox = all.at(-1)!.sandbox as SandboxLevel;
  await recordListening(settings.dataDir, settings.host, port).catch((error: unknown) =>
    log.logger.warn(`The address could not be recorded in ${settings.dataDir}: ${String(error)}`, 'Start'),
  );
  for (const warning of warningsOf(settings, sandbox)) log.logger.warn(warning, 'Settings');
  for (const line of summaryOf(settings, { database: start.probed, sandbox, address })) log.summary(line);
  for (const { owner } of all) if (owner) log.owner(owner);
  return address;
}

function attachSignals(primary: Primary, { settings, log, opening }: Divided): void {
  let isEnding = false;
  const end = (reason: string) => {
    if (isEnding) return;
    isEnding = true;
    log.logger.log(`The service shuts down: ${reason}.`, 'Processes');
    setTimeout(() => primary.kill(), DEADLINE_MS);
    setTimeout(() => process.exit(EXIT_RETRY), DEADLINE_MS + DATABASE_MS);
    void finish(primary, opening, settings, reason);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, () => end(`${signal} was received`));
  process.on('SIGHUP', () => {
    if (HAD_TERMINAL && !isatty(STDOUT)) end('its terminal was closed');
    else void primary.replaceAll();
  });
}

async function finish(
  primary: Primary,
  opening: Promise<DatabaseServer>,
  { dataDir }: Settings,
  reason: string,
): Promise<void> {
  await primary.end(reason, 0);
  // A database that could not be opened has been reported, and needs no end.
  const database = await opening.catch(() => null);
  await database?.stop();
  // The record of a process that has ended is ignored, so it may stay.
  await forgetListening(dataDir).catch(() => undefined);
  // On its way out Node restores the mode of its terminal, and aborts with a core dump where that has closed.
  if (HAD_TERMINAL && !isatty(STDOUT)) process.kill(process.pid, 'SIGKILL');
  process.exit(0);
}
