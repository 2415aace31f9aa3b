import type { IncomingMessage } from 'node:http';
import { callerOf, type InFlight } from '../in-flight.js';
import { Problem } from '../problem/problem.js';

/** Bodies up to this size are not counted: the number of open requests bounds them. */
const SMALL_BYTES = 65_536;

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
   * @param bytes of this body so far
   * @throws {TooMuchSent} when the caller's open requests would hold more than the limit
   */
  hold(request: IncomingMessage, bytes: number): void {
    const caller = callerOf(request);
    if (bytes <= SMALL_BYTES || caller === undefined) return;
    const others = this.inFlight.sumOf(caller, (other) =>
      other === request ? 0 : (this.held.get(other) ?? 0),
    );
    // One body alone is bounded by its own limit.
    if (others > 0 && others + bytes > this.limit) throw new TooMuchSent(others);
    this.held.set(request, bytes);
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
