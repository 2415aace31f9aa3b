import type { IncomingMessage } from 'node:http';
import { callerOf, type InFlight } from './in-flight-connections-and-slow-readers.js';
import { Problem } from './problem.js';

/** The fields of `Limits` that bound answers. */
export interface AnswerLimits {
  answerMaxBytes: number;
  unreadMaxBytes: number;
}

/** Answers up to this size are not counted: the number of open requests bounds them. */
const SMALL_BYTES = 65_536;

/**
 * Bounds the answers to reading requests, and those to requests over MCP, in bytes (contract §9.1), so that no caller can
 * fill the memory with answers that it does not read. Heartbeats and turns have no rate, and are refused in the same way: a
 * worker that names itself gets what it lost with its next heartbeat. Another request that changes something is always
 * answered: its work is done, and its result must not be lost.
 */
export class AnswerBytes {
  constructor(
    private readonly inFlight: InFlight,
    private readonly limits: AnswerLimits,
  ) {}

  /** @throws {AnswerTooLarge} @throws {TooMuchUnread} */
  enforce(request: IncomingMessage, bytes: number): void {
    if (!hasBoundedAnswer(request) || bytes <= SMALL_BYTES) return;
    if (request.method === 'GET' && bytes > this.limits.answerMaxBytes)
      throw new AnswerTooLarge(this.limits.answerMaxBytes);
    const caller = callerOf(request);
    const unread = caller === undefined ? null : this.refusedFor(caller, bytes);
    if (unread !== null) throw new TooMuchUnread(unread);
  }

  /**
   * Returns how much the caller has left unread where it gets no further answer of so many bytes; null where it does.
   * Without a size the answer is one whose size is not known yet.
   */
  refusedFor(callerId: string, bytes = SMALL_BYTES + 1): number | null {
    if (bytes <= SMALL_BYTES) return null;
    const unread = this.inFlight.sumOf(callerId, (_, response) => response.writableLength);
    return unread > 0 && unread + bytes > this.limits.unreadMaxBytes ? unread : null;
  }
}

const FREQUENT = /^\/api\/agents\/[^/?]+\/(heartbeat|turns)(\?|$)/;

/** Whether the size of an answer has to be known before it is sent. */
export function hasBoundedAnswer({ method, url = '' }: IncomingMessage): boolean {
  return method === 'GET' || method === 'HEAD' || (method === 'POST' && FREQUENT.test(url));
}

/** 422: the answer would be larger than the service sends. */
class AnswerTooLarge extends Problem {
  constructor(limit: number) {
    super(
      'answer_too_large',
      `The answer would have more than ${limit} bytes. Ask for less: with filters, a smaller limit, or fields=summary.`,
    );
  }
}

/** 429: the caller has left too much of earlier answers unread. */
class TooMuchUnread extends Problem {
  constructor(unread: number) {
    super('rate_limited', `You have ${unread} bytes of earlier answers to read. Read them, then ask again.`, {
      headers: { 'Retry-After': '1' },
    });
  }
}

/**
 * Bounds the bodies that this process holds for one caller (contract §9.1): while they arrive, and until their requests
 * are answered, since a tool call holds its arguments for as long as it runs.
 */
export class BodyBytes {
  private readonly held = new WeakMap<IncomingMessage, number>();

  constructor(
    private readonly inFlight: InFlight,
    private readonly limit: number,
  ) {}

  /**
   * Counts what has arrived of a body.
   * @param bytes of this body so far; 0 once it was refused and is dropped
   * @throws {TooMuchSent} when the caller's open requests would hold more than the limit
   */
  hold(request: IncomingMessage, bytes: number): void {
    const caller = callerOf(request);
    if (bytes <= SMALL_BYTES || caller === undefined) return void this.held.delete(request);
    const others = this.inFlight.sumOf(caller, (other) =>
      other === request ? 0 : (this.held.get(other) ?? 0),
    );
    // One body alone is bounded by its own limit.
    if (others > 0 && others + bytes > this.limit) throw new TooMuchSent(others);
    this.held.set(request, bytes);
  }
}

/** How many networks may hold all that they may at the same time. */
const FULL_NETWORKS = 4;

/**
 * Bounds the bodies of requests that carry a signature in place of a key, while they arrive: per network of the client, and
 * all of them together, since the signature is checked when the body is complete.
 */
export class NetworkBytes {
  private readonly held = new Map<IncomingMessage, { network: string; bytes: number }>();

  constructor(private readonly limit: number) {}

  /** @throws {TooMuchSent} when the open requests of the network, or of all, would hold more than the limit */
  hold(network: string, request: IncomingMessage, bytes: number): void {
    const others = [...this.held].filter(([other]) => other !== request).map(([, one]) => one);
    const sum = (all: typeof others) => all.reduce((total, one) => total + one.bytes, 0);
    const [own, all] = [sum(others.filter((one) => one.network === network)), sum(others)];
    const isTooMuch = own + bytes > this.limit || all + bytes > FULL_NETWORKS * this.limit;
    if (isTooMuch && own + all > 0 && bytes > 0) throw new TooMuchSent(own > 0 ? own : all);
    this.held.set(request, { network, bytes });
  }

  /** The body was refused, or is complete and checked. */
  release(request: IncomingMessage): void {
    this.held.delete(request);
  }
}

/** 429: open requests of the caller hold as many bytes as they may. */
class TooMuchSent extends Problem {
  constructor(held: number) {
    super(
      'rate_limited',
      `Your open requests hold bodies of ${held} bytes. Wait until some of them are answered, then send this again.`,
      { headers: { 'Retry-After': '1' } },
    );
  }
}
