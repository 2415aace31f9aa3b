import { ClientConnection } from './client-connection.js';
import type { McpConnection, OpenOptions } from './mcp-connection.js';
import { OutboundHttp } from '../../../platform/http/outbound/outbound-http.js';
import { RemoteTransport } from './remote-transport.js';
import type { RemoteServer, ServerDescription } from '../server-description.js';
import { startClock } from './start-clock.js';
import { startFailureOf } from './start-failure.js';

/** Reaches a server over HTTP and greets it. Nothing runs here, so `spawn` is only the way to the handshake. */
export async function openRemote(
  server: ServerDescription & RemoteServer,
  options: OpenOptions,
): Promise<McpConnection> {
  options.phase?.('handshake');
  const transport = new RemoteTransport(
    server,
    new OutboundHttp({ allowedHosts: options.allowedHosts ?? [] }),
  );
  const clock = startClock(options.startTimeoutMs, options.signal);
  try {
    return await clock.race(
      ClientConnection.greet(transport, {
        secrets: server.secrets,
        prior: options.prior,
        startTimeoutMs: options.startTimeoutMs,
        signal: clock.signal,
        phase: options.phase,
        pid: null,
        stderrTail: () => '',
        residentBytes: () => 0,
        end: () => transport.close(),
        endReason: async () => 'The connection to the server ended.',
      }),
    );
  } catch (error) {
    const cause = transport.lastFault ?? error;
    await transport.close();
    throw startFailureOf(cause, {
      server,
      ended: null,
      timedOut: clock.signal.aborted,
      fault: null,
      tail: '',
    });
  } finally {
    clock.stop();
  }
}
