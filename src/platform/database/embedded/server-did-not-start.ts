/** The server ended before it took a connection. Its own words tell whether another try helps. */
export class ServerDidNotStart extends Error {
  /** Somebody else has taken the port since it was found free. */
  readonly portTaken: boolean;
  /** Children of a dead server are still leaving, or an orphaned server has only just begun. */
  readonly clusterBusy: boolean;

  constructor(reason: string, said: string) {
    super(`The embedded PostgreSQL did not start: ${reason}. ${said.trim()}`);
    this.name = 'ServerDidNotStart';
    this.portTaken = /could not bind|could not create any TCP\/IP sockets/.test(said);
    this.clusterBusy = /is still in use|lock file .* already exists/.test(said);
  }
}
