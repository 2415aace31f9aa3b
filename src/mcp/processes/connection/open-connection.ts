import { OutboundHttp } from '../../../platform/http/outbound-http.js';
import type {
  EraVerdict,
  RemoteServer,
  ServerDescription,
  StdioServer,
} from '../server-description-and-limits.js';
import { bytesIn } from '../supervision/process-table-and-folder-bytes.js';
import { type McpProcess, SpawnFailure, startProcess } from '../supervision/start-process.js';
import { StderrRing } from '../supervision/stderr-ring.js';
import { AnswerMask } from './answer-mask.js';
import { ClientConnection } from './connection-and-declared-capabilities.js';
import { startDeadline, unlessAborted } from './deadlines.js';
import { DEFAULT_LIMITS } from './frames.js';
import type { McpConnection, OpenOptions } from './mcp-connection.js';
import {
  asCallFailure,
  isRefusal,
  isSignIn,
  type McpError,
  McpStartFailure,
  type McpUnavailable,
} from './mcp-errors.js';
import { RemoteTransport } from './remote-transport.js';
import { StdioTransport } from './stdio-transport.js';

/** What is known of a handshake that did not come about. */
export interface FailedGreeting {
  server: ServerDescription;
  /** `exited with code 1`, where the process has ended. */
  ended: string | null;
  timedOut: boolean;
  /** What the transport itself took offence at. */
  fault: McpUnavailable | null;
  tail: string;
}

/** The end of the sentence about a server that ended; a verification puts the output in its place. */
export const LAST_OUTPUT = 'Its last output says more.';

/** Returns the sentence for people: the most specific cause that is known, which a library's error rarely is. */
export function startFailureOf(error: unknown, greeting: FailedGreeting): McpStartFailure {
  const mask = new AnswerMask(greeting.server.secrets);
  const failure = asCallFailure(error, mask);
  const refused = isRefusal(failure);
  return new McpStartFailure(
    'handshake',
    messageOf(greeting, failure, refused),
    greeting.tail,
    refused,
    failure,
  );
}

function messageOf(greeting: FailedGreeting, failure: McpError | McpUnavailable, refused: boolean): string {
  if (isSignIn(failure)) return failure.message;
  if (refused) return 'The server refused the credentials. Enter valid ones and verify again.';
  if (greeting.fault) return greeting.fault.reason;
  if (greeting.ended !== null)
    return `The server ${greeting.ended} before it had answered the handshake. ${LAST_OUTPUT}`;
  if (greeting.timedOut) return 'The server did not answer the handshake in time.';
  return failure.message;
}

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
  const deadline = performance.now() + options.startTimeoutMs;
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
  const began = performance.now();
  options.phase?.('spawn');
  const child = await spawn(server, options);
  const { limits = DEFAULT_LIMITS } = options;
  const mask = new AnswerMask(server.secrets);
  const note = (line: string): void => ring.note(maskedLine(mask, line));
  const log = { stderr: (bytes: Buffer) => ring.push(bytes), note };
  const transport = new StdioTransport(child, log, limits.frameMaxBytes);
  const { refusals } = child;
  if (refusals) refusals.onRefusal = note;
  options.phase?.('handshake');
  const limit = startDeadline(deadline - performance.now(), options.signal);
  try {
    const greeting = ClientConnection.greet(transport, {
      mask,
      limits,
      prior: options.prior,
      startTimeoutMs: Math.max(1, deadline - performance.now()),
      signal: limit.signal,
      phase: options.phase,
      pid: child.pid,
      short: transport.short,
      refusals,
      stderrTail: () => ring.tail(server.secrets),
      note,
      stray: () => transport.stray,
      processes: (table) => child.tree.membersIn(table),
      storedBytes: (most) => bytesIn([server.dataDir, child.folder], most),
      end: (ladder) => transport.end(ladder),
      endReason: async () => transport.fault?.reason ?? `The server ${await child.exited}.`,
    });
    const connection = await unlessAborted(greeting, limit.signal);
    const hasTime = deadline - performance.now() > performance.now() - began;
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

/** Reaches a server over HTTP and greets it. Nothing runs here, so `spawn` is only the way to the handshake. */
export async function openRemote(
  server: ServerDescription & RemoteServer,
  options: OpenOptions,
): Promise<McpConnection> {
  options.phase?.('handshake');
  const { limits = DEFAULT_LIMITS } = options;
  const mask = new AnswerMask(server.secrets);
  const transport = new RemoteTransport(
    server,
    new OutboundHttp({
      allowedHosts: options.allowedHosts ?? [],
      maxBytes: limits.frameMaxBytes,
      readsEventStreams: true,
    }),
    mask,
  );
  const limit = startDeadline(options.startTimeoutMs, options.signal);
  try {
    const connection = await unlessAborted(
      ClientConnection.greet(transport, {
        mask,
        limits,
        prior: options.prior,
        startTimeoutMs: options.startTimeoutMs,
        signal: limit.signal,
        phase: options.phase,
        pid: null,
        stderrTail: () => '',
        note: (line) => options.ring?.note(maskedLine(mask, line)),
        processes: () => [],
        storedBytes: async () => 0,
        hasSession: () => transport.hasSession,
        end: () => transport.close(),
        endReason: async () => 'The connection to the server ended.',
      }),
      limit.signal,
    );
    transport.onSessionLost = () => connection.onSessionLost?.();
    return connection;
  } catch (error) {
    const cause = transport.lastFault ?? error;
    await transport.close();
    throw startFailureOf(cause, {
      server,
      ended: null,
      timedOut: limit.signal.aborted,
      fault: null,
      tail: '',
    });
  } finally {
    limit.stop();
  }
}

/** Starts or reaches a server and greets it. Throws McpStartFailure, and leaves nothing running then. */
export function openConnection(server: ServerDescription, options: OpenOptions): Promise<McpConnection> {
  const prior = options.prior ?? server.prior;
  return server.transport === 'stdio'
    ? openStdio(server, { ...options, prior })
    : openRemote(server, { ...options, prior });
}

/** Returns a text as one masked line. A secret may be whole only where the breaks in it are taken out. */
function maskedLine(mask: AnswerMask, text: string): string {
  const spaced = mask.text(text.replaceAll(/[\r\n]+/g, ' '));
  const joined = mask.text(text.replaceAll(/[\r\n]+/g, ''));
  return joined.split('[secret]').length > spaced.split('[secret]').length ? joined : spaced;
}
