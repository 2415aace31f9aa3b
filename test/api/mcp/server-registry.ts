import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A registry of MCP servers (API v0.1) on loopback that serves what a test publishes, honestly or not. */
export class ServerRegistry {
  /** The body of each response, by its decoded path. */
  private readonly responses = new Map<string, unknown>();
  private readonly server: Server;

  private constructor() {
    this.server = createServer(({ url = '/' }, response) => {
      const body = this.responses.get(decodeURIComponent(url));
      response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body ?? { error: 'Server not found' }));
    });
  }

  static async start(): Promise<ServerRegistry> {
    const registry = new ServerRegistry();
    registry.server.listen(0, '127.0.0.1');
    await once(registry.server, 'listening');
    return registry;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Publishes a server.json as its version and as the latest one. */
  publish(server: { name: string; version: string } & Record<string, unknown>): void {
    for (const version of [server.version, 'latest']) this.respond(server.name, version, { server });
  }

  /** Answers a question with any body; a string is sent as it is. */
  respond(name: string, version: string, body: unknown): void {
    this.serve(`/v0.1/servers/${name}/versions/${version}`, body);
  }

  /** Answers at a path, for instance as an index of packages. */
  serve(path: string, body: unknown): void {
    this.responses.set(path, body);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }
}
