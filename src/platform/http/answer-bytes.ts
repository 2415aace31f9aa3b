import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InFlight } from './in-flight.js';
import { Problem } from './problem/problem.js';

/** The fields of `Limits` that bound answers. */
export interface AnswerLimits {
  answerMaxBytes: number;
  unreadMaxBytes: number;
}

/** Answers up to this size are not counted: the number of open requests bounds them. */
const SMALL_BYTES = 65_536;

/**
 * Bounds the answers to reading requests in bytes (contract §9.1), so that no caller can fill the memory with answers
 * that it does not read. A changing request is always answered: its work is done, and its result must not be lost.
 */
export class AnswerBytes {
  constructor(
    private readonly inFlight: InFlight,
    private readonly limits: AnswerLimits,
  ) {}

  /** @throws {AnswerTooLarge} @throws {TooMuchUnread} */
  enforce(request: IncomingMessage, bytes: number): void {
    if (request.method !== 'GET' || bytes <= SMALL_BYTES) return;
    if (bytes > this.limits.answerMaxBytes) throw new AnswerTooLarge(this.limits.answerMaxBytes);
    const unread = this.unreadOf(callerOf(request));
    if (unread > 0 && unread + bytes > this.limits.unreadMaxBytes) throw new TooMuchUnread(unread);
  }

  private unreadOf(callerId: string | undefined): number {
    if (callerId === undefined) return 0;
    let sum = 0;
    for (const [response, request] of this.inFlight.exchanges())
      if (callerOf(request) === callerId) sum += unreadIn(response);
    return sum;
  }
}

/** The guard writes the caller into the request. */
function callerOf(request: IncomingMessage & { user?: { id: string } }): string | undefined {
  return request.user?.id;
}

function unreadIn(response: ServerResponse): number {
  return response.writableLength;
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
