import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { lookForCanary } from './canary.js';

/** One request that a target has received. */
export interface Received {
  headers: Record<string, string>;
  body: string;
  event: { id: string; type: string; subject: { type: string; id: string }; data: Record<string, unknown> };
}

/** A real HTTP server as the target of webhooks; the test sets its responses. */
export class WebhookTarget {
  readonly received: Received[] = [];
  /** Responds to a request; by default with 200. */
  answer: (request: Received, response: ServerResponse) => void = (_, response) => void response.end();
  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.take(request, response));
  }

  static async start(port = 0): Promise<WebhookTarget> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return new WebhookTarget(server);
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}/hook`;
  }

  of(subjectId: string): Received[] {
    return this.received.filter(({ event }) => event.subject.id === subjectId);
  }

  /** Closes all connections, so that the next delivery has to find the target again. */
  dropConnections(): void {
    this.server.closeAllConnections();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const headers = request.headers as Record<string, string>;
    lookForCanary('a webhook delivery', JSON.stringify(headers) + body);
    const received = { headers, body, event: JSON.parse(body) as Received['event'] };
    this.received.push(received);
    this.answer(received, response);
  }
}

/** Returns whether the request is signed with this secret, as a target would check it. */
export function isSignedWith(secret: string, { headers, body }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
