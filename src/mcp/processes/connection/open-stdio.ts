import { AnswerMask } from './answer-mask.js';
import type { McpProcess } from '../supervision/mcp-process.js';
import { bytesIn } from '../supervision/disk-use.js';
import { SpawnFailure, startProcess } from '../supervision/start-process.js';
import { ClientConnection } from './client-connection.js';
import type { McpConnection, OpenOptions } from './mcp-connection.js';
import { DEFAULT_LIMITS } from './message-limits.js';
import { McpStartFailure } from './mcp-errors.js';
import type { EraVerdict, ServerDescription, StdioServer } from '../server-description.js';
import { unlessAborted } from './deadline.js';
import { startDeadline } from './start-deadline.js';
import { startFailureOf } from './start-failure.js';
import { StderrRing } from '../supervision/stderr-ring.js';
import { StdioTransport } from './stdio-transport.js';

type StdioDescription = ServerDescription & StdioServer;

/** A server that was only greeted holds nothing that could be lost. */
const NOTHING_TO_LOSE = { afterEndOfInputMs: 500, afterTerminateMs: 500 };

const UNANSWERED = 'The server left the first request unanswered.';

/**
 * Starts a server as a child process and greets it. Some old servers end at a request that they do not know, and others
 * ignore it: one that ended at the probe or left it unanswered gets a second life without the probe. Later starts send
 * none either, so that a start which a verification has seen is the one that calls get.
 */
export async function openStdio(server: StdioDescription, options: OpenOptions): Promise<McpConnection> {
  const deadline = Date.now() + options.startTimeoutMs;
  const first = await attempt(server, options, deadline);
  if (!(first instanceof WithoutProbe)) return first;
  const second = await attempt(
    server,
    { ...options, prior: { era: 'legacy', at: new Date().toISOString() } },
    deadline,
  );
  if (second instanceof WithoutProbe) throw second.failure;
  return second;
}

/** The server has to be started again without the probe. */
class WithoutProbe {
  constructor(readonly failure: McpStartFailure) {}
}

async function attempt(
  server: StdioDescription,
  options: OpenOptions,
  deadline: number,
): Promise<ClientConnection | WithoutProbe> {
  const ring = options.ring ?? new StderrRing();
  const began = Date.now();
  options.phase?.('spawn');
  const child = await spawn(server, options);
  const { limits = DEFAULT_LIMITS } = options;
  const transport = new StdioTransport(child, ring, limits.frameMaxBytes);
  const { refusals } = child;
  if (refusals) refusals.onRefusal = (line) => ring.push(Buffer.from(`${line}\n`));
  options.phase?.('handshake');
  const limit = startDeadline(deadline - Date.now(), options.signal);
  try {
    const greeting = ClientConnection.greet(transport, {
      mask: new AnswerMask(server.secrets),
      limits,
      prior: options.prior,
      startTimeoutMs: Math.max(1, deadline - Date.now()),
      signal: limit.signal,
      phase: options.phase,
      pid: child.pid,
      short: transport.short,
      refusals,
      stderrTail: () => ring.tail(server.secrets),
      note: (line) => ring.push(Buffer.from(`${line}\n`)),
      processes: (table) => child.tree.membersIn(table),
      storedBytes: (most) => bytesIn([server.dataDir, child.folder], most),
      end: (ladder) => transport.end(ladder),
      endReason: async () => transport.fault?.reason ?? `The server ${await child.exited}.`,
    });
    const connection = await unlessAborted(greeting, limit.signal);
    const hasTime = deadline - Date.now() > Date.now() - began;
    if (!transport.probeIgnored || !hasTime) return connection;
    await connection.close(NOTHING_TO_LOSE);
    return new WithoutProbe(new McpStartFailure('handshake', UNANSWERED, ring.tail(server.secrets)));
  } catch (error) {
    const exited = child.process.exitCode !== null || child.process.signalCode !== null;
    const ended = exited ? await child.exited : null;
    await transport.close();
    const failure = startFailureOf(error, {
      server,
      ended,
      timedOut: limit.signal.aborted,
      fault: transport.fault,
      tail: ring.tail(server.secrets),
    });
    if (exited && !transport.initializeSent && !isKnown(options.prior)) return new WithoutProbe(failure);
    throw failure;
  } finally {
    limit.stop();
  }
}

async function spawn(server: StdioDescription, options: OpenOptions): Promise<McpProcess> {
  try {
    return await startProcess(server, options);
  } catch (error) {
    const message =
      error instanceof SpawnFailure
        ? error.message
        : 'The folders that the server needs could not be made. Check the data folder and its free space.';
    throw new McpStartFailure('spawn', message, '');
  }
}

function isKnown(prior: EraVerdict | undefined): boolean {
  return prior?.era === 'legacy';
}
