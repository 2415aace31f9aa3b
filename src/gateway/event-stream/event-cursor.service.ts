import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { Problem, ValidationFailed } from '../../platform/http/problem.js';
import { instantOf, ReaderBatchesRepository } from './events.repository.js';

const CONTEXT = 'events.cursor';

/**
 * The position that a stream resumes from: the id of the last event, or a sealed position for a reader that has received
 * none. A plain position would reveal how much happens in projects that the reader cannot see.
 */
@Injectable()
export class EventCursorService {
  constructor(
    private readonly batches: ReaderBatchesRepository,
    private readonly encryption: Encryption,
  ) {}

  seal(position: number): string {
    return this.encryption.seal(String(position), CONTEXT);
  }

  /**
   * @throws {EventsGone} when events after this id are no longer kept
   * @throws {ValidationFailed} when no stream of this service has sent this id
   */
  async positionOf(lastEventId: string): Promise<number> {
    const position = isUuid(lastEventId)
      ? await this.batches.positionOf(lastEventId)
      : this.openSealed(lastEventId);
    const pruned = await this.batches.pruned();
    if (position === null ? isOlder(lastEventId, pruned.until) : position < pruned.position)
      throw new EventsGone();
    if (position !== null) return position;
    throw new ValidationFailed([
      {
        path: 'Last-Event-ID',
        message: 'is not the id of an event of this service; leave it out to receive only new events',
      },
    ]);
  }

  private openSealed(text: string): number | null {
    try {
      return Number(this.encryption.open(text, CONTEXT));
    } catch {
      // Neither a UUID nor sealed by this service.
      return null;
    }
  }
}

/** 410: the stream cannot go on without a gap, since the retention has deleted events. */
class EventsGone extends Problem {
  constructor() {
    super(
      'events_gone',
      'Events after this id are no longer kept. Read what you need with the other routes, and follow again without an id.',
    );
  }
}

/** A row has the time of its transaction, and its id a later one. */
const LONGEST_TRANSACTION_MS = 86_400_000;

/** Whether an id that is not found can be that of a row that was deleted. */
function isOlder(id: string, until: Date | null): boolean {
  const at = instantOf(id);
  return at !== null && until !== null && at.getTime() <= until.getTime() + LONGEST_TRANSACTION_MS;
}
