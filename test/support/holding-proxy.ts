import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** The end of a response to a client whose transaction is open (ReadyForQuery). */
const IN_TRANSACTION = Buffer.from([0x5a, 0, 0, 0, 5, 0x54]);

/** The result of a statement that has been executed and that its client does not get yet. */
interface Held {
  client: Socket;
  chunks: Buffer[];
}

/**
 * A proxy between a service and its database. It holds back the result of a prepared statement that was executed in a
 * transaction, so that a test can change what the statement has read before the service acts on it.
 */
export class HoldingProxy {
  private statement = Buffer.alloc(0);
  private onHeld: (() => void) | null = null;
  private held: Held | null = null;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(private readonly target: URL) {
    this.server = createServer((client) => this.take(client)).listen(0, '127.0.0.1');
  }

  static async before(databaseUrl: string): Promise<HoldingProxy> {
    const proxy = new HoldingProxy(new URL(databaseUrl));
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
    return url.href;
  }

  /** Lets go what is held, and returns once the next result of the statement is. */
  next(statement: string): Promise<void> {
    this.statement = Buffer.from(`${statement}\0`);
    return new Promise((resolve) => {
      this.onHeld = resolve;
      this.release();
    });
  }

  /** Lets go what is held. */
  release(): void {
    const { client, chunks } = this.held ?? { chunks: [] };
    this.held = null;
    for (const chunk of chunks) client!.write(chunk);
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }

  private take(client: Socket): void {
    const database = connect(Number(this.target.port), this.target.hostname);
    let isInTransaction = false;
    let isAsked = false;
    client.on('data', (chunk) => {
      isAsked = isInTransaction && this.onHeld !== null && chunk.includes(this.statement);
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      isInTransaction = chunk.subarray(-IN_TRANSACTION.length).equals(IN_TRANSACTION);
      if (isAsked && this.onHeld) this.hold(client);
      if (this.held?.client === client) this.held.chunks.push(chunk);
      else client.write(chunk);
    });
    for (const socket of [client, database]) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => [client, database].forEach((one) => one.destroy()));
    }
  }

  private hold(client: Socket): void {
    const resolve = this.onHeld;
    this.onHeld = null;
    this.held = { client, chunks: [] };
    resolve?.();
  }
}
