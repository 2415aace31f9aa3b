import { callbackify } from 'node:util';
import { Agent, buildConnector, fetch, type RequestInit as OutboundInit } from 'undici';
import { permittedAddresses, systemResolver, type Resolver } from './outbound-address.js';
import { boundedBody } from './outbound-body.js';
import { Deadline } from './outbound-deadline.js';
import { OutboundFault } from './outbound-fault.js';
import { nextHop } from './outbound-redirect.js';

/** Bounds of the requests that the service makes to addresses which people or servers gave it (spec §7). */
export interface OutboundSettings {
  /** `host:port` that may be reached although it is not public (`MCP_ALLOWED_HOSTS`). */
  allowedHosts: readonly string[];
  /** Default 3; 0 takes a redirect for a fault. */
  maxRedirects?: number;
  /** Of an answer's body after decoding, or of one event of an event stream; default 4 MiB. */
  maxBytes?: number;
  /** For connecting, headers and body together, but for an event stream's body; default 60 s. */
  timeoutMs?: number;
  resolve?: Resolver;
}

/**
 * HTTP to the outside. Addresses are checked where the connection is made, and the address that was checked is
 * the one connected to: a check anywhere earlier is undone by DNS that answers differently the second time, and
 * a `lookup` hook never sees an address that stands in the URL itself.
 */
export class OutboundHttp {
  /** Told of a fault in a body that was begun: who reads an event stream may see no more than its end. */
  onBodyFault: (fault: OutboundFault) => void = () => undefined;
  private readonly agent: Agent;

  constructor(private readonly settings: OutboundSettings) {
    this.agent = new Agent({ connect: guardedConnector(settings), bodyTimeout: 0, headersTimeout: 0 });
  }

  /**
   * As the platform's fetch, with the bounds above. Follows redirects by itself, each one checked, and leaves
   * every credential behind when the origin changes. Throws OutboundFault.
   */
  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const deadline = new Deadline(this.settings.timeoutMs ?? 60_000, init.signal);
    try {
      const response = await this.follow(new URL(input), init, deadline.signal);
      return this.bounded(response, deadline);
    } catch (error) {
      deadline.release();
      throw deadline.fault ?? OutboundFault.behind(error) ?? asUnreachable(error, init.signal);
    }
  };

  /** Cuts all connections, streams among them. */
  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private async follow(start: URL, init: RequestInit, signal: AbortSignal): Promise<Response> {
    let hop = { url: start, headers: new Headers(init.headers) };
    for (let followed = 0; ; followed += 1) {
      const response = await this.once(hop.url, { ...init, headers: hop.headers, signal });
      const next = nextHop(hop, response, init.method ?? 'GET');
      if (next === null) return response;
      await response.body?.cancel();
      if (followed === (this.settings.maxRedirects ?? 3))
        throw new OutboundFault('bad_redirect', 'The server redirects too often.');
      hop = next;
    }
  }

  /** undici's types and the platform's describe the same objects, each for itself. */
  private async once(url: URL, init: RequestInit): Promise<Response> {
    if (!['http:', 'https:'].includes(url.protocol))
      throw new OutboundFault('refused_address', 'Only http and https addresses can be reached.');
    const request = { ...init, redirect: 'manual', dispatcher: this.agent } as OutboundInit;
    return (await fetch(url, request)) as unknown as Response;
  }

  private bounded(response: Response, deadline: Deadline): Response {
    const isEventStream = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    if (isEventStream) deadline.clear();
    if (response.body === null) {
      deadline.release();
      return response;
    }
    const onDone = (error?: unknown): void => {
      deadline.release();
      const fault = deadline.fault ?? OutboundFault.behind(error);
      if (fault) this.onBodyFault(fault);
    };
    const body = boundedBody(response.body, this.settings.maxBytes ?? 4 * 1024 * 1024, isEventStream, onDone);
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  }
}

function guardedConnector(settings: OutboundSettings): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  const tryEach = (
    options: buildConnector.Options,
    addresses: string[],
    done: buildConnector.Callback,
  ): void => {
    connect({ ...options, hostname: addresses[0] }, (error, socket) => {
      if (error && addresses.length > 1) tryEach(options, addresses.slice(1), done);
      else if (error) done(error, null);
      else done(null, socket);
    });
  };
  const permitted = callbackify(permittedAddresses);
  return (options, done) => {
    const port = Number(options.port || (options.protocol === 'https:' ? 443 : 80));
    permitted(
      options.hostname,
      port,
      settings.allowedHosts,
      settings.resolve ?? systemResolver,
      (error, addresses) => {
        if (error) done(error, null);
        else tryEach(options, addresses, done);
      },
    );
  };
}

/** What the caller broke off stays an abort; all else is a connection that did not come about or did not last. */
function asUnreachable(error: unknown, signal: AbortSignal | null | undefined): unknown {
  return signal?.aborted
    ? error
    : new OutboundFault(
        'unreachable',
        'The server could not be reached. Check its address, and that it is up.',
      );
}

const CONNECT_TIMEOUT_MS = 5_000;
