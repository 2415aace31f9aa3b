import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Encryption } from '../../../platform/encryption/encryption.service.js';
import { ValidationFailed } from '../../../platform/http/problem.js';
import { ReaderBatchesRepository } from './reader-batches.repository.js';

const CONTEXT = 'events.cursor';

/**
 * What a stream goes on from. That is the id of the last event; where there was none yet, a sealed position:
 * a plain one would tell how much goes on in projects that the reader can't see.
 */
@Injectable()
export class EventCursor {
  constructor(
    private readonly batches: ReaderBatchesRepository,
    private readonly encryption: Encryption,
  ) {}

  seal(position: number): string {
    return this.encryption.seal(String(position), CONTEXT);
  }

  /** @throws {ValidationFailed} for what no stream of this service has given out */
  async positionOf(lastEventId: string): Promise<number> {
    const position = isUuid(lastEventId)
      ? await this.batches.positionOf(lastEventId)
      : this.openSealed(lastEventId);
    if (position !== null) return position;
    throw new ValidationFailed([
      {
        path: 'Last-Event-ID',
        message: 'is not the id of an event of this service: leave it out to begin with what happens now',
      },
    ]);
  }

  private openSealed(text: string): number | null {
    try {
      return Number(this.encryption.open(text, CONTEXT));
    } catch {
      return null;
    }
  }
}
