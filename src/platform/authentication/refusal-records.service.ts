import type { IncomingMessage } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { pathOf } from '../http/problem.filter.js';
import type { Problem, ProblemCode } from '../http/problem.js';
import { JournalService } from '../journal/journal.service.js';
import type { Principal } from './principals-and-roles.js';

const MINUTE_MS = 60_000;
/** Bounds the memory that a flood of different names costs. Further names count as seen. */
const MOST_NAMES = 10_000;

/** Recognises the first of many equal events per minute, so that a flood of them leaves few records. */
export class OncePerMinute {
  private seen = new Set<string>();
  private minute = 0;

  /** Returns true the first time that `name` comes in this minute. */
  first(name: string, now: number = performance.now()): boolean {
    const minute = Math.floor(now / MINUTE_MS);
    if (minute !== this.minute) {
      this.minute = minute;
      this.seen = new Set();
    }
    if (this.seen.has(name) || this.seen.size >= MOST_NAMES) return false;
    this.seen.add(name);
    return true;
  }
}

/** What the guard, or a step before Express, has written into a request. */
type MarkedRequest = IncomingMessage & { user?: Principal; route?: { path?: string } };

const OF_PERMISSION = new Set<ProblemCode>([
  'forbidden',
  'not_yours',
  'assignment_refused',
  'agent_disabled',
  'csrf_rejected',
  'author_type_mismatch',
]);

/**
 * Records callers that were refused for lack of permission (`access.refused`, contract §8.5). Each process writes at most
 * one row per caller, route, code and minute, because a client that tries in a loop must not fill a table that nothing
 * prunes.
 */
@Injectable()
export class RefusalRecordsService {
  private readonly log = new Logger(RefusalRecordsService.name);
  private readonly once = new OncePerMinute();

  constructor(private readonly journal: JournalService) {}

  /** Resolves once the row is written, or is not needed. A failure to write is logged and changes no response. */
  async note(request: MarkedRequest, problem: Problem): Promise<void> {
    const { method, user: caller } = request;
    const path = pathOf(request);
    if (!caller || !OF_PERMISSION.has(problem.code)) return;
    const route = request.route?.path ?? path;
    if (!this.once.first(`${caller.type} ${caller.id} ${method} ${route} ${problem.code}`)) return;
    const { code, detail } = problem;
    try {
      await this.journal.record({
        type: 'access.refused',
        subject: { type: 'route', id: `${method} ${route}` },
        data: { method, path: path.slice(0, 500), code, detail },
      });
    } catch (error) {
      this.log.warn(
        `The refusal of ${method} ${route} could not be recorded in the audit: ${error instanceof Error ? error.message : 'unknown error'}`,
      );
    }
  }
}
