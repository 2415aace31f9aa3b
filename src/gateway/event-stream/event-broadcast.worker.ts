import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { JournalFollowerWorker } from '../../platform/journal/journal-follower.worker.js';
import type { JournalSubscription } from '../../platform/journal/journal-subscription.js';
import { EventCursorService } from './event-cursor.service.js';
import { type EventReader, KEEP_OPEN_MS, POLL_MS, RIGHTS_MS } from './event-reader.js';
import { type Event, type JournalRow, ReaderBatchesRepository, seenBy } from './events.repository.js';

const BATCH_SIZE = 500;

/**
 * Sends events to all readers of this process (contract §8). Each round takes the readers below the head of the journal
 * one batch further, all in one statement that returns the rows and what each reader may see of them. A reader whose
 * right has ended is disconnected.
 *
 * It subscribes to the journal only while there are readers.
 */
@Injectable()
export class EventBroadcastWorker implements BeforeApplicationShutdown {
  private readonly readers = new Set<EventReader>();
  private subscription: JournalSubscription | null = null;
  private hasEnded = false;
  private rightsChecked = 0;
  private lastComment = Date.now();

  constructor(
    private readonly journal: JournalFollowerWorker,
    private readonly batches: ReaderBatchesRepository,
    private readonly cursor: EventCursorService,
  ) {}

  /** Sends the reader every event that it may see, until `remove`. */
  add(reader: EventReader): void {
    if (this.hasEnded) return reader.end();
    this.readers.add(reader);
    this.subscription ??= this.journal.subscribe({
      name: 'Events could not be sent',
      types: /^/,
      everyMs: POLL_MS,
      handle: () => this.serveAll(),
    });
  }

  remove(reader: EventReader): void {
    this.readers.delete(reader);
  }

  /** Streams have no end of their own, and the HTTP server would wait for them. */
  beforeApplicationShutdown(): void {
    this.hasEnded = true;
    for (const reader of this.readers) reader.end();
    this.readers.clear();
  }

  private async serveAll(): Promise<void> {
    if (this.readers.size === 0) return this.unsubscribe();
    this.keepOpen();
    while (await this.serveRound());
  }

  /** Not awaited: it waits for the call that it is made in. */
  private unsubscribe(): void {
    if (this.subscription) void this.journal.unsubscribe(this.subscription);
    this.subscription = null;
  }

  /** Returns whether a reader is still far behind. */
  private async serveRound(): Promise<boolean> {
    const { head } = this.journal;
    const behind = [...this.readers].filter((reader) => reader.isReady && reader.position < (head ?? 0));
    const near = behind.filter(({ position }) => head! - position <= BATCH_SIZE);
    const far = behind.filter((reader) => !near.includes(reader));
    if (near.length > 0) await this.serve(near, head!);
    if (far.length > 0) await this.serve(far, head!);
    if (Date.now() - this.rightsChecked >= RIGHTS_MS) await this.checkAll();
    return far.length > 0;
  }

  /** Takes these readers one batch further, from the position of the last of them. */
  private async serve(readers: EventReader[], head: number): Promise<void> {
    const above = Math.min(...readers.map(({ position }) => position));
    const { rows, rights } = await this.batches.read(
      readers.map(({ principal }) => principal),
      above,
      head,
      BATCH_SIZE,
    );
    const upTo = rows.length < BATCH_SIZE ? head : rows.at(-1)!.position;
    const texts = new EventTexts();
    for (const [index, reader] of readers.entries()) {
      if (!rights[index]!.alive) this.end(reader);
      else if (reader.position < upTo) {
        const fresh = rows.filter((row) => row.position > reader.position && reader.wants(row));
        const text = fresh.map((row) => texts.of(row, seenBy(row, rights[index]!))).join('');
        reader.position = upTo;
        if (text !== '') reader.send(text);
      }
    }
  }

  /** Also checks readers that have nothing to read, or that do not take what they were sent. */
  private async checkAll(): Promise<void> {
    this.rightsChecked = Date.now();
    const readers = [...this.readers];
    const rights = await this.batches.rights(readers.map(({ principal }) => principal));
    for (const [index, reader] of readers.entries()) {
      if (!rights[index]!.alive) this.end(reader);
      else if (reader.hasStalled(this.rightsChecked)) reader.cut();
    }
  }

  /** Keeps connections open, and gives a cursor to readers that see none of the events. */
  private keepOpen(): void {
    if (Date.now() - this.lastComment < KEEP_OPEN_MS) return;
    this.lastComment = Date.now();
    for (const reader of this.readers)
      if (reader.isReady) reader.send(`: heart-beat\nid: ${this.cursor.seal(reader.position)}\n\n`);
  }

  private end(reader: EventReader): void {
    this.remove(reader);
    reader.end();
  }
}

/** The text of each event, made once for all readers that see the whole of it. */
class EventTexts {
  private readonly whole = new Map<JournalRow, string>();

  of(row: JournalRow, event: Event | null): string {
    if (event === null) return '';
    if (event.data !== row.data) return textOf(event);
    const known = this.whole.get(row) ?? textOf(event);
    this.whole.set(row, known);
    return known;
  }
}

/** Without an `event:` field, so that a browser's `onmessage` receives every type. */
function textOf(event: Event): string {
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
}
