import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Frontend messages that make the server run a statement: Query and Execute. */
const RUNS = new Set(['Q'.charCodeAt(0), 'E'.charCodeAt(0)]);

/**
 * Counts the statements that a service sends to its PostgreSQL. Their number measures the load on the database
 * independently of the machine.
 */
export class StatementCounter {
  statements = 0;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    /** The URL of the database through this counter. */
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

  /** Returns the number of statements that are sent during `work`. */
  async during(work: () => Promise<unknown>): Promise<number> {
    const before = this.statements;
    await work();
    return this.statements - before;
  }

  /** Returns the smallest number in five runs of `work`, because the service also sends statements of its own. */
  async leastDuring(work: () => Promise<unknown>): Promise<number> {
    let least = Infinity;
    for (let time = 0; time < 5; time += 1) least = Math.min(least, await this.during(work));
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

/** Splits what a client sends into messages: a type, then the length of the rest. The first message has no type. */
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
