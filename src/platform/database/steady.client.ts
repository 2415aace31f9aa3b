import { Client, type ClientConfig } from 'pg';

/**
 * A connection whose end never ends the process. node-postgres emits an error when a connection breaks between two
 * statements, and Node ends a process that has no listener for it. A pool removes its own listener while it hands a
 * connection out, so a database that stops in the moment after it accepted a connection finds none.
 */
export class SteadyClient extends Client {
  constructor(config?: ClientConfig) {
    super(config);
    // The next statement on the connection reports the error to its caller.
    this.on('error', () => undefined);
  }
}
