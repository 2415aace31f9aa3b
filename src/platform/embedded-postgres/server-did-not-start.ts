/** The server ended before it accepted a connection. Its output shows whether another attempt can help. */
export class ServerDidNotStart extends Error {
  /** Another process has taken the port since it was found free. */
  readonly portTaken: boolean;
  /** Children of a dead server are still ending, or an orphaned server is just starting. */
  readonly clusterBusy: boolean;

  constructor(reason: string, said: string) {
    super(`The embedded PostgreSQL did not start: ${reason}. ${said.trim()}`);
    this.name = 'ServerDidNotStart';
    this.portTaken = /could not bind|could not create any TCP\/IP sockets/.test(said);
    this.clusterBusy = /is still in use|lock file .* already exists/.test(said);
  }
}
