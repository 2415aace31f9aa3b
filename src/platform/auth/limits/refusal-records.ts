import { Injectable, Logger } from '@nestjs/common';
import type { Request } from 'express';
import type { Problem } from '../../http/problem.js';
import type { ProblemCode } from '../../http/problem-codes.js';
import { Journal } from '../../journal/journal.js';
import type { Principal } from '../principal.js';
import { OnceAMinute } from './once-a-minute.js';

const OF_PERMISSION = new Set<ProblemCode>(['forbidden', 'csrf_rejected', 'author_type_mismatch']);

/**
 * Writes down who was refused for want of permission (spec §8, `access.refused`): one row a caller, route, code
 * and minute in each process, since a client that tries in a loop must not fill a table that nothing prunes.
 */
@Injectable()
export class RefusalRecords {
  private readonly log = new Logger(RefusalRecords.name);
  private readonly once = new OnceAMinute();

  constructor(private readonly journal: Journal) {}

  /** Resolves once the row is there, or is not needed; a fault is logged and changes no answer. */
  async note(request: Request, problem: Problem): Promise<void> {
    const { method } = request;
    const caller = request.user as Principal | undefined;
    if (!caller || !OF_PERMISSION.has(problem.code)) return;
    const route = (request.route as { path?: string } | undefined)?.path ?? request.path;
    if (!this.once.first(`${caller.type} ${caller.id} ${method} ${route} ${problem.code}`)) return;
    const { code, detail } = problem;
    try {
      await this.journal.record({
        type: 'access.refused',
        subject: { type: 'route', id: `${method} ${route}` },
        data: { method, path: request.path.slice(0, 500), code, detail },
      });
    } catch (fault) {
      this.log.warn(
        `A refusal could not be recorded: ${fault instanceof Error ? fault.message : 'no reason'}`,
      );
    }
  }
}
