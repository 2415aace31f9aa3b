import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { JournalTail } from '../journal-head/journal-tail.js';
import { EventCursor } from './event-cursor.js';
import type { Event, JournalRow } from './event.js';
import type { EventReader } from './event-reader.js';
import { ReaderBatchesRepository } from './reader-batches.repository.js';
import { seenBy } from './reader-rights.js';

const POLL_MS = 100;
/** Rights end by themselves too (a key's time), and without an event: they are asked at least so often. */
const RIGHTS_MS = 1_000;
const HEART_BEAT_MS = 15_000;
const BATCH_SIZE = 500;
/** While the database is away. */
const FAULT_PAUSE_MS = 1_000;

/**
 * Hands what happens to all readers of this process (spec §8). Each round asks once how far the journal is
 * final, then takes the readers that are furthest behind one batch further, all with one statement that tells
 * the rows and what each reader may see of them. A reader that is no longer allowed to is ended.
 *
 * It sleeps while nobody reads.
 */
@Injectable()
export class EventFlow implements BeforeApplicationShutdown {
  private readonly log = new Logger(EventFlow.name);
  private readonly readers = new Set<EventReader>();
  private running = false;
  private ended = false;
  private rightsAsked = 0;
  private heartBeat = Date.now();

  constructor(
    private readonly tail: JournalTail,
    private readonly batches: ReaderBatchesRepository,
    private readonly cursor: EventCursor,
  ) {}

  /** From now on the reader is given what it may see, until `remove`. */
  add(reader: EventReader): void {
    if (this.ended) return reader.end();
    this.readers.add(reader);
    if (!this.running) void this.run();
  }

  remove(reader: EventReader): void {
    this.readers.delete(reader);
  }

  get size(): number {
    return this.readers.size;
  }

  /** Streams have no end of their own, and the server would wait for them. */
  beforeApplicationShutdown(): void {
    this.ended = true;
    for (const reader of this.readers) reader.end();
    this.readers.clear();
  }

  private async run(): Promise<void> {
    this.running = true;
    while (this.readers.size > 0 && !this.ended) await pause(await this.roundOrPause());
    this.running = false;
  }

  /** How long to wait until the next round. */
  private async roundOrPause(): Promise<number> {
    try {
      this.beat();
      return (await this.round()) ? 0 : POLL_MS;
    } catch (fault) {
      this.log.warn(`Events could not be read: ${fault instanceof Error ? fault.message : String(fault)}`);
      return FAULT_PAUSE_MS;
    }
  }

  /** Answers whether somebody is still behind. */
  private async round(): Promise<boolean> {
    const head = await this.tail.look();
    const behind = [...this.readers].filter((reader) => reader.isReady && reader.position < head);
    const near = behind.filter(({ position }) => head - position <= BATCH_SIZE);
    const far = behind.filter((reader) => !near.includes(reader));
    if (near.length > 0) await this.serve(near, head);
    if (far.length > 0) await this.serve(far, head);
    if (Date.now() - this.rightsAsked >= RIGHTS_MS) await this.checkAll(head);
    return far.length > 0;
  }

  /** Takes these readers one batch further, from where the last of them stands. */
  private async serve(readers: EventReader[], head: number): Promise<void> {
    const above = Math.min(...readers.map(({ position }) => position));
    const { rows, rights } = await this.batches.read(
      readers.map(({ principal }) => principal),
      above,
      head,
      BATCH_SIZE,
    );
    const upTo = rows.length < BATCH_SIZE ? head : rows.at(-1)!.position;
    const texts = new Texts();
    for (const [at, reader] of readers.entries()) {
      if (!rights[at]!.alive) this.end(reader);
      else if (reader.position < upTo) {
        const fresh = rows.filter(({ position }) => position > reader.position);
        const text = fresh.map((row) => texts.of(row, seenBy(row, rights[at]!))).join('');
        reader.position = upTo;
        if (text !== '') reader.send(text);
      }
    }
  }

  /** Those too who have nothing to read, or don't take what they were given. */
  private async checkAll(head: number): Promise<void> {
    this.rightsAsked = Date.now();
    const readers = [...this.readers];
    const principals = readers.map(({ principal }) => principal);
    const { rights } = await this.batches.read(principals, head, head, 0);
    for (const [at, reader] of readers.entries()) {
      if (!rights[at]!.alive) this.end(reader);
      else if (reader.hasStalled(this.rightsAsked)) reader.cut();
    }
  }

  /** Keeps connections open, and tells where to go on even to those who see nothing of what happens. */
  private beat(): void {
    if (Date.now() - this.heartBeat < HEART_BEAT_MS) return;
    this.heartBeat = Date.now();
    for (const reader of this.readers)
      if (reader.isReady) reader.send(`: heart-beat\nid: ${this.cursor.seal(reader.position)}\n\n`);
  }

  private end(reader: EventReader): void {
    this.remove(reader);
    reader.end();
  }
}

/** The text of each event, made once for all readers who see the same of it. */
class Texts {
  private readonly whole = new Map<JournalRow, string>();

  of(row: JournalRow, event: Event | null): string {
    if (event === null) return '';
    if (event.data !== row.data) return textOf(event);
    const known = this.whole.get(row) ?? textOf(event);
    this.whole.set(row, known);
    return known;
  }
}

/** Without an `event:` field, so that a browser's `onmessage` hears of every type. */
function textOf(event: Event): string {
  return `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`;
}
