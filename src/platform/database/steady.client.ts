import { Client, type ClientConfig } from 'pg';
import type { PresentUrl } from './present-url.js';

/** The options of a connection. A pool passes them on to each connection that it opens. */
export interface SteadyConfig extends ClientConfig {
  /** Replaces `connectionString` at the moment in which the connection is made, unless it returns null. */
  presentUrl?: PresentUrl;
}

/**
 * A connection whose end never ends the process. node-postgres emits an error when a connection breaks between two
 * statements, and Node ends a process that has no listener for it. A pool removes its own listener while it hands a
 * connection out, so a database that stops in the moment after it accepted a connection finds none.
 */
export class SteadyClient extends Client {
  constructor(config: SteadyConfig = {}) {
    const presentUrl = config.presentUrl?.() ?? null;
    super(presentUrl === null ? config : { ...config, connectionString: presentUrl });
    // The next statement on the connection reports the error to its caller.
    this.on('error', () => undefined);
  }
}
