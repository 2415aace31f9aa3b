import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One address before several processes. A test says for each request which of them it reaches, as if by chance. */
export class Balancer {
  private target = '';
  private readonly server: Server = createServer((incoming, response) => this.pass(incoming, response));

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Has every request from now on reach this process. */
  leadTo({ address }: { address: string }): void {
    this.target = address;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private pass(incoming: IncomingMessage, response: ServerResponse): void {
    const { method, headers, url = '/' } = incoming;
    const outgoing = request(new URL(url, this.target), { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    // The client sees that its connection ended.
    outgoing.on('error', () => response.destroy());
    incoming.pipe(outgoing);
  }
}
