import { AnswerMask } from './answer-mask.js';
import { ClientConnection } from './client-connection.js';
import type { McpConnection, OpenOptions } from './mcp-connection.js';
import { OutboundHttp } from '../../../platform/http/outbound/outbound-http.js';
import { DEFAULT_LIMITS } from './message-limits.js';
import { RemoteTransport } from './remote-transport.js';
import type { RemoteServer, ServerDescription } from '../server-description.js';
import { unlessAborted } from './deadline.js';
import { startDeadline } from './start-deadline.js';
import { startFailureOf } from './start-failure.js';

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
        note: (line) => options.ring?.push(Buffer.from(`${line}\n`)),
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
