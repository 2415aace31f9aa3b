import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import {
  JournalFollowerWorker,
  type JournalSubscription,
} from '../../platform/journal/journal-follower-and-subscriptions.worker.js';
import { EventCursorService } from './event-cursor.service.js';
import { type Event, type JournalRow, ReaderBatchesRepository, seenBy } from './events.repository.js';

// The times of event streams (contract §8.3), in milliseconds.

/** The greatest delay of an event. */
const POLL_MS = 100;

/** Rights also end without an event, such as at the expiry of a key: they are checked at least this often. */
const RIGHTS_MS = 1_000;

/** How often a comment line keeps a connection open. */
const KEEP_OPEN_MS = 15_000;

/** A reader that takes nothing for longer is disconnected. */
export const LONGEST_STALL_MS = 30_000;

/** After which a client connects again. */
export const RETRY_MS = 1_000;

/** What a reader asked for; an absent member matches all. */
export interface EventFilter {
  projectId?: string;
  types?: ReadonlySet<string>;
}

/**
 * One open event stream. Its unsent data is bounded: a slow reader falls behind in the journal, which keeps every row,
 * and does not fill this process's memory.
 */
export class EventReader {
  private stalledSince: number | null = null;

  /**
   * @param position the reader has been sent every event up to here that it may see and asked for
   * @param mostUnread with so many unsent bytes the reader is sent nothing more until it has read
   */
  constructor(
    readonly principal: Principal,
    public position: number,
    private readonly response: Response,
    private readonly mostUnread: number,
    private readonly filter: EventFilter = {},
  ) {
    response.on('drain', () => (this.stalledSince = null));
  }

  /** Whether the reader asked for this event; who may see it is decided elsewhere. */
  wants({ type, projectId }: Pick<Event, 'type' | 'projectId'>): boolean {
    const { filter } = this;
    return (
      (filter.projectId === undefined || filter.projectId === projectId) &&
      (filter.types === undefined || filter.types.has(type))
    );
  }

  get isReady(): boolean {
    return this.response.writableLength < this.mostUnread;
  }

  hasStalled(now: number): boolean {
    return this.stalledSince !== null && now - this.stalledSince > LONGEST_STALL_MS;
  }

  send(text: string): void {
    if (!this.response.write(text)) this.stalledSince ??= performance.now();
  }

  /** Ends the stream after the data that is still unsent. */
  end(): void {
    this.response.end();
  }

  /** Closes the connection of a reader that does not read. */
  cut(): void {
    this.response.destroy();
  }
}

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
  private lastComment = performance.now();

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
    if (performance.now() - this.rightsChecked >= RIGHTS_MS) await this.checkAll();
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
    this.rightsChecked = performance.now();
    const readers = [...this.readers];
    const rights = await this.batches.rights(readers.map(({ principal }) => principal));
    for (const [index, reader] of readers.entries()) {
      if (!rights[index]!.alive) this.end(reader);
      else if (reader.hasStalled(this.rightsChecked)) reader.cut();
    }
  }

  /** Keeps connections open, and gives a cursor to readers that see none of the events. */
  private keepOpen(): void {
    if (performance.now() - this.lastComment < KEEP_OPEN_MS) return;
    this.lastComment = performance.now();
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
