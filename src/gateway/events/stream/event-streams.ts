import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Principal } from '../../../platform/auth/principal.js';
import { JournalTail } from '../journal-head/journal-tail.js';
import { EventCursor } from './event-cursor.js';
import { EventFlow } from './event-flow.js';
import { EventReader } from './event-reader.js';

/** How soon a browser connects again after the stream has ended. */
const RETRY_MS = 1_000;

/** Opens event streams. */
@Injectable()
export class EventStreams {
  constructor(
    private readonly flow: EventFlow,
    private readonly tail: JournalTail,
    private readonly cursor: EventCursor,
  ) {}

  /**
   * Begins after the event with this id, or with what commits from now on. What is answered says so: the
   * headers go out when the beginning is settled.
   * @throws {ValidationFailed} for an id that means nothing here
   */
  async open(principal: Principal, lastEventId: string | undefined, response: Response): Promise<void> {
    const position = lastEventId ? await this.cursor.positionOf(lastEventId) : await this.tail.last();
    if (response.destroyed) return;
    response.status(200).set({
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    const reader = new EventReader(principal, position, response);
    response.once('close', () => this.flow.remove(reader));
    reader.send(`retry: ${RETRY_MS}\nid: ${lastEventId || this.cursor.seal(position)}\n\n`);
    this.flow.add(reader);
  }
}
