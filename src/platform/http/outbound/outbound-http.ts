import { callbackify } from 'node:util';
import { Agent, buildConnector, fetch, type RequestInit as OutboundInit } from 'undici';
import { permittedAddresses, systemResolver, type Resolver } from './outbound-address.js';
import { boundedBody } from './outbound-body.js';
import { Deadline } from './outbound-deadline.js';
import { OutboundError } from './outbound-error.js';
import { nextHop } from './outbound-redirect.js';

/** Limits of the requests that the service sends to addresses given by people or servers (contract §7). */
export interface OutboundSettings {
  /** `host:port` that may be reached although it is not public (`OUTBOUND_ALLOWED_HOSTS`). */
  allowedHosts: readonly string[];
  /** Default 3; with 0 a redirect is an error. */
  maxRedirects?: number;
  /** The limit of a response's body after decoding. */
  maxBytes: number;
  /** The time for connecting, headers and body together; default 60 s. */
  timeoutMs?: number;
  /**
   * Whether the caller reads event streams as such: their bodies have no time limit, and `maxBytes` is that of one event. Who
   * reads a body as a whole must not set it, because the other side chooses the type of its answer.
   */
  readsEventStreams?: boolean;
  resolve?: Resolver;
}

/**
 * Sends HTTP requests to the outside. Addresses are checked where the connection is made, and the checked address is the
 * one connected to: DNS that resolves differently the second time would defeat an earlier check, and a `lookup` hook
 * never sees an address that is written in the URL itself.
 */
export class OutboundHttp {
  /** Called with an error in a body that has begun: the reader of an event stream may see no more than its end. */
  onBodyError: (error: OutboundError) => void = () => undefined;
  private readonly agent: Agent;

  constructor(private readonly settings: OutboundSettings) {
    this.agent = new Agent({ connect: guardedConnector(settings), bodyTimeout: 0, headersTimeout: 0 });
  }

  /**
   * Works like the global fetch, with the limits above. Checks each redirect that it follows, and drops every
   * credential when the origin changes.
   * @throws {OutboundError} when the address, the redirects, the size or the time are not acceptable
   */
  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const deadline = new Deadline(this.settings.timeoutMs ?? 60_000, init.signal);
    try {
      const response = await this.follow(new URL(input), init, deadline.signal);
      return this.bounded(response, deadline);
    } catch (error) {
      deadline.release();
      throw deadline.error ?? OutboundError.behind(error) ?? asUnreachable(error, init.signal);
    }
  };

  /** Cuts all connections, streams included. */
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
        throw new OutboundError('bad_redirect', 'The server redirects too often.');
      hop = next;
    }
  }

  /** Bridges undici's types and the global ones, which describe the same objects separately. */
  private async once(url: URL, init: RequestInit): Promise<Response> {
    if (!['http:', 'https:'].includes(url.protocol))
      throw new OutboundError('refused_address', 'Only http and https addresses can be reached.');
    const request = { ...init, redirect: 'manual', dispatcher: this.agent } as OutboundInit;
    return (await fetch(url, request)) as unknown as Response;
  }

  private bounded(response: Response, deadline: Deadline): Response {
    const isEventStream =
      this.settings.readsEventStreams === true &&
      /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
    if (isEventStream) deadline.clear();
    if (response.body === null) {
      deadline.release();
      return response;
    }
    const onDone = (error?: unknown): void => {
      deadline.release();
      const known = deadline.error ?? OutboundError.behind(error);
      if (known) this.onBodyError(known);
    };
    const body = boundedBody(response.body, this.settings.maxBytes, isEventStream, onDone);
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  }
}

function guardedConnector(settings: OutboundSettings): buildConnector.connector {
  const connect = buildConnector({ timeout: CONNECT_TIMEOUT_MS });
  const tryEach = (
    options: buildConnector.Options,
    [hostname, ...others]: string[],
    done: buildConnector.Callback,
  ): void => {
    if (hostname === undefined) return done(unreachable(), null);
    connect({ ...options, hostname }, (error, socket) => {
      if (error && others.length > 0) tryEach(options, others, done);
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

/** Returns an abort by the caller unchanged; any other error means that the connection failed. */
function asUnreachable(error: unknown, signal: AbortSignal | null | undefined): unknown {
  return signal?.aborted ? error : unreachable();
}

function unreachable(): OutboundError {
  return new OutboundError(
    'unreachable',
    'The server could not be reached. Check its address, and that it is up.',
  );
}

const CONNECT_TIMEOUT_MS = 5_000;
