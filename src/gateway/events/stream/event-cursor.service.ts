import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Encryption } from '../../../platform/encryption/encryption.service.js';
import { ValidationFailed } from '../../../platform/http/problem/problem.js';
import { ReaderBatchesRepository } from './reader-batches.repository.js';

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

  /** @throws {ValidationFailed} when no stream of this service has sent this id */
  async positionOf(lastEventId: string): Promise<number> {
    const position = isUuid(lastEventId)
      ? await this.batches.positionOf(lastEventId)
      : this.openSealed(lastEventId);
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
