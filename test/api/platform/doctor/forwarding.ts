import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  request as requestOf,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from '../../../support/certificate.js';

/** Returns the code with which an S3 store refuses the request, or null. */
type Refusal = (request: IncomingMessage) => string | null;

/** Servers of other people on loopback, and proxies before servers. */
export class Forwarding {
  private readonly servers: Server[] = [];
  private readonly ports: Record<string, number> = {};

  /** @param certificate of the proxies that speak TLS */
  constructor(private readonly certificate: Certificate) {}

  async listen(name: string, server: Server): Promise<void> {
    this.servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    this.ports[name] = (server.address() as AddressInfo).port;
  }

  /** Passes requests on, or refuses them as an S3 store does. */
  proxy(name: string, to: () => string, refuses: Refusal): Promise<void> {
    const answer = (request: IncomingMessage, response: ServerResponse) => {
      const code = refuses(request);
      if (code) refuse(response, code);
      else forward(to(), request, response);
    };
    return this.listen(name, createServer(answer));
  }

  /** Passes requests on that come over TLS. @param further headers that it adds */
  secureProxy(name: string, to: () => string, further: Record<string, string> = {}): Promise<void> {
    const [key, cert] = [readFileSync(this.certificate.key), readFileSync(this.certificate.certificate)];
    const server = createTlsServer({ key, cert }, (request, response) =>
      forward(to(), request, response, further),
    );
    return this.listen(name, server);
  }

  urlOf(name: string, scheme = 'http'): string {
    return `${scheme}://127.0.0.1:${this.ports[name]}`;
  }

  close(): void {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}

function refuse(response: ServerResponse, code: string): void {
  response.writeHead(code === 'AccessDenied' ? 403 : 400, { 'content-type': 'application/xml' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>No</Message></Error>`,
  );
}

function forward(to: string, request: IncomingMessage, response: ServerResponse, further = {}): void {
  const { method, url, headers } = request;
  const passed = requestOf(new URL(url!, to), { method, headers: { ...headers, ...further } }, (answer) => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  passed.on('error', () => response.destroy());
  request.pipe(passed);
}
