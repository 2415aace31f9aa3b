import { callbackify } from 'node:util';
import { Agent, buildConnector, fetch, type RequestInit as OutboundInit } from 'undici';
import {
  OutboundError,
  permittedAddresses,
  type Resolver,
  systemResolver,
} from './outbound-addresses-and-errors.js';

/** The target of a request and its headers. */
export interface Hop {
  url: URL;
  headers: Headers;
}

/**
 * Returns the target that `response` redirects to, or null when it is no redirect. On another origin only headers that
 * say nothing about the caller are sent: a credential may be in a header of any name.
 */
export function nextHop(hop: Hop, response: Response, method: string): Hop | null {
  const location = response.headers.get('location');
  if (!REDIRECTS.includes(response.status) || location === null) return null;
  const url = targetOf(location, hop.url);
  const keepsBody = response.status === 307 || response.status === 308;
  if (!keepsBody && method !== 'GET' && method !== 'HEAD') {
    throw new OutboundError(
      'bad_redirect',
      'The server redirects in a way that loses the body. Use the address that it redirects to.',
    );
  }
  return { url, headers: url.origin === hop.url.origin ? hop.headers : harmless(hop.headers) };
}

function targetOf(location: string, base: URL): URL {
  const url = URL.canParse(location, base.href) ? new URL(location, base) : null;
  if (!url || url.username || url.password)
    throw new OutboundError('bad_redirect', 'The server redirects to an invalid address.');
  return url;
}

function harmless(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => HARMLESS.includes(name)));
}

const REDIRECTS = [301, 302, 303, 307, 308];
const HARMLESS = ['accept', 'content-type', 'user-agent', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** A time limit over a whole request, joined with the caller's own signal. */
export class Deadline {
  /** Set once the time is over. */
  error: OutboundError | null = null;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private readonly onAbort = (): void => this.controller.abort(this.outer?.reason);

  constructor(
    timeoutMs: number,
    private readonly outer: AbortSignal | null | undefined,
  ) {
    this.timer = setTimeout(() => this.expire(), timeoutMs);
    if (outer?.aborted) this.onAbort();
    outer?.addEventListener('abort', this.onAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Ends the time limit; the caller's signal stays joined until the body has ended. */
  clear(): void {
    clearTimeout(this.timer);
  }

  /** Releases timer and signal after the request. */
  release(): void {
    this.clear();
    this.outer?.removeEventListener('abort', this.onAbort);
  }

  private expire(): void {
    this.error = new OutboundError('timed_out', 'The server did not respond in time.');
    this.controller.abort(this.error);
  }
}

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

/**
 * Passes a body on and aborts it at `maxBytes`. In an event stream, which may last for hours, each event is counted
 * separately. `onDone` is called once, when the body ended, when its reader cancelled it, or with the error when it failed.
 */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  isEventStream: boolean,
  onDone: (error?: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const count = new ByteCount(isEventStream);
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done && count.add(value) > maxBytes) throw TOO_LARGE;
        if (!done) return controller.enqueue(value);
        onDone();
        controller.close();
      } catch (error) {
        onDone(error);
        controller.error(error);
        await reader.cancel(error);
      }
    },
    async cancel(reason) {
      onDone();
      await reader.cancel(reason);
    },
  });
}

/** Counts the received bytes, in an event stream since the last empty line, which ends an event. */
class ByteCount {
  private count = 0;

  constructor(private readonly isEventStream: boolean) {}

  /** Returns the highest count reached. The end of an event that two chunks share is found with the second. */
  add(chunk: Uint8Array): number {
    const ends = this.isEventStream ? eventEnds(chunk) : null;
    const reached = this.count + (ends?.first ?? chunk.length);
    this.count = ends ? chunk.length - ends.last : reached;
    return Math.max(reached, this.count);
  }
}

function eventEnds(chunk: Uint8Array): { first: number; last: number } | null {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const found = EVENT_ENDS.filter((end) => bytes.includes(end));
  if (found.length === 0) return null;
  const first = Math.min(...found.map((end) => bytes.indexOf(end) + end.length));
  const last = Math.max(...found.map((end) => bytes.lastIndexOf(end) + end.length));
  return { first, last };
}

const EVENT_ENDS = ['\n\n', '\r\n\r\n', '\r\r'];
const TOO_LARGE = new OutboundError(
  'too_large',
  'The response is larger than the service accepts. Request less at a time.',
);
