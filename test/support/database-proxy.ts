import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A proxy between a service and its database, which interrupts the connection when a test says so. */
export class DatabaseProxy {
  private mode: 'through' | 'refuse' | 'swallow' = 'through';
  private readonly pairs = new Set<[Socket, Socket]>();
  private server: Server | null = null;
  private port = 0;
  private breaksAt: string | null = null;

  private constructor(private target: URL) {}

  static async before(databaseUrl: string): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(new URL(databaseUrl));
    await proxy.listen();
    return proxy;
  }

  get url(): string {
    const url = new URL(this.target);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  /** Behaves like a stopped database: every connection breaks, and new ones are refused. */
  async stop(): Promise<void> {
    this.mode = 'refuse';
    this.cut();
    this.server?.close();
    this.server = null;
  }

  /** Behaves like a broken network: connections stay open, and no data passes. */
  swallow(): void {
    this.mode = 'swallow';
    for (const [client, database] of this.pairs) {
      client.unpipe(database);
      database.unpipe(client);
      client.resume();
      database.resume();
    }
  }

  /** Breaks, once, the connection that sends a statement with this text, before the response. */
  breakAt(text: string): void {
    this.breaksAt = text;
  }

  /** Whether the statement of `breakAt` has been sent. */
  get hasBroken(): boolean {
    return this.breaksAt === null;
  }

  /** Breaks existing connections and lets new ones pass. */
  async giveBack(): Promise<void> {
    this.mode = 'through';
    this.cut();
    if (!this.server) await this.listen();
  }

  /** Leads to another server from now on, like the name of a database that was promoted. */
  moveTo(databaseUrl: string): void {
    this.target = new URL(databaseUrl);
    this.cut();
  }

  private cut(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
    this.pairs.clear();
  }

  private async listen(): Promise<void> {
    this.server = createServer((client) => this.take(client)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
  }

  private take(client: Socket): void {
    const database = connect(Number(this.target.port), this.target.hostname);
    const pair: [Socket, Socket] = [client, database];
    this.pairs.add(pair);
    for (const socket of pair)
      socket.on('error', () => undefined).once('close', () => pair.forEach((one) => one.destroy()));
    client.on('data', (data: Buffer) => {
      if (this.breaksAt === null || !data.includes(this.breaksAt)) return;
      this.breaksAt = null;
      pair.forEach((socket) => socket.destroy());
    });
    if (this.mode === 'through') client.pipe(database).pipe(client);
    else pair.forEach((socket) => socket.resume());
  }
}
