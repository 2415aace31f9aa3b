import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { lookForCanary } from './canary.js';

/** A span as the collector received it, with its attributes by name. */
export interface CollectedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  /** 1: internal, 2: server, 3: client. */
  kind: number;
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  /** 2: an error. */
  status: number;
}

interface KeyValue {
  key: string;
  value: Record<string, unknown>;
}
type WireSpan = Omit<CollectedSpan, 'attributes' | 'status' | 'links'> & {
  attributes?: KeyValue[];
  links?: CollectedSpan['links'];
  status?: { code?: number };
};
interface WireTraces {
  resourceSpans: { resource: { attributes: KeyValue[] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

/** An OpenTelemetry collector: an HTTP server that takes OTLP as JSON and looks for canaries in all of it. */
export class OtlpCollector {
  readonly spans: CollectedSpan[] = [];
  readonly headers: IncomingMessage['headers'][] = [];
  /** All that was received, as it came. */
  text = '';
  resource: Record<string, unknown> = {};
  /** Whether requests are left without a response. */
  isHeld = false;
  private readonly held: ServerResponse[] = [];

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => void this.take(request, response));
  }

  static async start(): Promise<OtlpCollector> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new OtlpCollector(server);
  }

  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  named(name: string, traceId?: string): CollectedSpan[] {
    return this.spans.filter((span) => span.name === name && (!traceId || span.traceId === traceId));
  }

  /** Responds to the requests that were held, and to all others at once from now on. */
  release(): void {
    this.isHeld = false;
    for (const response of this.held.splice(0)) this.accept(response);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    lookForCanary('the traces', body);
    this.headers.push(request.headers);
    this.text += body;
    if (request.url === '/v1/traces') this.learn(JSON.parse(body) as WireTraces);
    if (this.isHeld) this.held.push(response);
    else this.accept(response);
  }

  private accept(response: ServerResponse): void {
    response.setHeader('content-type', 'application/json').end('{}');
  }

  private learn({ resourceSpans }: WireTraces): void {
    for (const { resource, scopeSpans } of resourceSpans) {
      this.resource = plain(resource.attributes);
      for (const { attributes = [], links = [], status, ...span } of scopeSpans.flatMap(({ spans }) => spans))
        this.spans.push({ ...span, attributes: plain(attributes), links, status: status?.code ?? 0 });
    }
  }
}

function plain(attributes: KeyValue[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
