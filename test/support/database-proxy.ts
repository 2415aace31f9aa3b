import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Stands between a service and its database, and takes it away as a test says. */
export class DatabaseProxy {
  private mode: 'through' | 'refuse' | 'swallow' = 'through';
  private readonly pairs = new Set<[Socket, Socket]>();
  private server: Server | null = null;
  private port = 0;

  private constructor(private readonly target: URL) {}

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

  /** As a database that was stopped: every connection breaks, new ones are refused. */
  async stop(): Promise<void> {
    this.mode = 'refuse';
    this.cut();
    this.server?.close();
    this.server = null;
  }

  /** As behind a broken network: connections stay, and nothing comes through. */
  swallow(): void {
    this.mode = 'swallow';
    for (const [client, database] of this.pairs) {
      client.unpipe(database);
      database.unpipe(client);
      client.resume();
      database.resume();
    }
  }

  /** What was there before is broken; new connections come through again. */
  async giveBack(): Promise<void> {
    this.mode = 'through';
    this.cut();
    if (!this.server) await this.listen();
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
    if (this.mode === 'through') client.pipe(database).pipe(client);
    else pair.forEach((socket) => socket.resume());
  }
}
