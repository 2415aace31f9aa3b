import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { listenError } from '../start/listen-address.js';

/** What `/readyz` says. */
export interface Readiness {
  status: 'ok' | 'unavailable';
  checks: Record<string, string>;
}

/** How long an answer stands in for one that a busy process does not give in time. */
const KEPT_MS = 15_000;

/**
 * Answers `/livez` and `/readyz` at HEALTH_PORT (contract §8.1). The supervisor of a start does no other work, so requests that keep its
 * processes busy delay no probe: `/livez` is its own, and `/readyz` the last answer that one of its processes gave.
 */
export class HealthEndpoint {
  private server: Server | null = null;
  private last: Readiness = { status: 'unavailable', checks: { start: 'in progress' } };
  private lastAt = -Infinity;

  /** @param ask returns what the service says of itself, or null when it does not answer in time */
  constructor(private readonly ask: () => Promise<Readiness | null>) {}

  /** @throws {StartError} when the address cannot be used */
  async listen(host: string, port: number): Promise<void> {
    const server = createServer((request, response) => void this.answer(request.url ?? '', response));
    try {
      await once(server.listen(port, host), 'listening');
    } catch (error) {
      throw listenError({ host, port }, error, 'HEALTH_PORT');
    }
    // The service is what keeps the process alive.
    this.server = server.unref();
  }

  close(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async answer(url: string, response: ServerResponse): Promise<void> {
    const path = url.split('?', 1)[0];
    if (path === '/livez') return send(response, 200, { status: 'ok' });
    if (path !== '/readyz') return send(response, 404, { status: 'not found' });
    const readiness = await this.readiness();
    send(response, readiness.status === 'ok' ? 200 : 503, readiness);
  }

  private async readiness(): Promise<Readiness> {
    // What cannot be asked does not answer, which the sentence below says in the end.
    const answer = await this.ask().catch(() => null);
    if (answer) {
      this.last = answer;
      this.lastAt = performance.now();
    } else if (performance.now() - this.lastAt > KEPT_MS)
      this.last = { status: 'unavailable', checks: { processes: 'none answers' } };
    return this.last;
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}
