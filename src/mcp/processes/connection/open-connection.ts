import type { ServerDescription } from '../server-description.js';
import type { McpConnection, OpenOptions } from './mcp-connection.js';
import { openRemote } from './open-remote.js';
import { openStdio } from './open-stdio.js';

/** Starts or reaches a server and greets it. Throws McpStartFailure, and leaves nothing running then. */
export function openConnection(server: ServerDescription, options: OpenOptions): Promise<McpConnection> {
  const prior = options.prior ?? server.prior;
  return server.transport === 'stdio'
    ? openStdio(server, { ...options, prior })
    : openRemote(server, { ...options, prior });
}
