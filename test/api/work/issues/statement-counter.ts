import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Frontend messages that make the server run a statement: Query and Execute. */
const RUNS = new Set(['Q'.charCodeAt(0), 'E'.charCodeAt(0)]);

/**
 * Stands between a service and its PostgreSQL and counts the statements that pass: what the service costs its
 * database is told by their number, whatever the machine.
 */
export class StatementCounter {
  statements = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** The database by way of this counter. */
    readonly url: string,
  ) {}

  static async before(databaseUrl: string): Promise<StatementCounter> {
    const database = new URL(databaseUrl);
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const counter = new StatementCounter(server, url.href);
    server.on('connection', (service) =>
      counter.pass(service, connect(Number(database.port || 5432), database.hostname)),
    );
    return counter;
  }

  /** How many statements pass while `work` is done. */
  async during(work: () => Promise<unknown>): Promise<number> {
    const before = this.statements;
    await work();
    return this.statements - before;
  }

  /** The same of work that can be done again: the least of five times, since the service also asks for itself meanwhile. */
  async leastDuring(work: () => Promise<unknown>): Promise<number> {
    let least = Infinity;
    for (let time = 0; time < 5; time++) least = Math.min(least, await this.during(work));
    return least;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(service: Socket, database: Socket): void {
    const frames = new FrontendFrames((type) => {
      if (RUNS.has(type)) this.statements += 1;
    });
    service.on('data', (bytes: Buffer) => frames.read(bytes));
    service.pipe(database).pipe(service);
    for (const socket of [service, database]) {
      this.sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => [service, database].forEach((end) => end.destroy()));
    }
  }
}

/** Cuts what a client sends into messages: a type, then the length of the rest; the first message has no type. */
class FrontendFrames {
  private rest = Buffer.alloc(0);
  private begun = false;

  constructor(private readonly onMessage: (type: number) => void) {}

  read(bytes: Buffer): void {
    this.rest = Buffer.concat([this.rest, bytes]);
    for (;;) {
      const head = this.begun ? 1 : 0;
      if (this.rest.length < head + 4) return;
      const size = head + this.rest.readUInt32BE(head);
      if (this.rest.length < size) return;
      if (this.begun) this.onMessage(this.rest[0]!);
      this.begun = true;
      this.rest = this.rest.subarray(size);
    }
  }
}
