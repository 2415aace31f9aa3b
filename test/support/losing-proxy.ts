import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP proxy that drops responses: the service has done what was asked, and the caller does not learn it. */
export class LosingProxy {
  /** The paths whose responses were dropped. */
  readonly lost: string[] = [];
  /** The paths of requests that did not reach the service. */
  readonly stopped: string[] = [];
  private readonly server: Server;

  private constructor(
    private readonly target: URL,
    private readonly loses: (path: string) => boolean,
    private readonly stops: (path: string) => boolean,
  ) {
    this.server = createServer((asked, answer) => this.pass(asked, answer));
  }

  /** @param stops the requests that it does not pass on */
  static async before(
    target: string,
    loses: (path: string) => boolean,
    stops: (path: string) => boolean = () => false,
  ): Promise<LosingProxy> {
    const proxy = new LosingProxy(new URL(target), loses, stops);
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { url = '/', method, headers } = asked;
    if (this.stops(url)) {
      this.stopped.push(url);
      asked.socket.destroy();
      return;
    }
    const passed = request({
      host: this.target.hostname,
      port: this.target.port,
      path: url,
      method,
      headers,
    });
    passed.on('response', (response) => {
      if (this.loses(url)) {
        this.lost.push(url);
        response.resume();
        asked.socket.destroy();
      } else {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      }
    });
    passed.on('error', () => asked.socket.destroy());
    answer.on('close', () => passed.destroy());
    asked.pipe(passed);
  }
}
