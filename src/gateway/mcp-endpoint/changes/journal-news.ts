import { Injectable } from '@nestjs/common';
import { JournalNewsRepository, type JournalMark } from './journal-news.repository.js';

/** No transaction is open for longer: what it wrote lies above where the journal stood that long ago. */
const FLOOR_AGE_MS = 60_000;

/**
 * What happened lately, in whichever process of the service: the journal tells it to all of them alike. This is
 * the one place where a notice of another process comes in.
 */
@Injectable()
export class JournalNews {
  private read: JournalMark | null = null;
  private floors: { position: string; at: number }[] = [];

  constructor(private readonly repository: JournalNewsRepository) {}

  /** From now on `next` tells what happens. */
  async begin(): Promise<void> {
    this.read = await this.repository.mark();
    this.floors = [{ position: this.read.position, at: Date.now() }];
  }

  /** The types of what has happened since the last question; what may change agents' lists, and keys. */
  async next(): Promise<string[]> {
    if (!this.read) return [];
    const { types, ...mark } = await this.repository.since(this.read, this.floors[0]!.position);
    this.read = mark;
    this.moveFloor(mark.position);
    return types;
  }

  private moveFloor(position: string): void {
    const now = Date.now();
    if (now - this.floors.at(-1)!.at >= FLOOR_AGE_MS) this.floors.push({ position, at: now });
    while (this.floors.length > 1 && now - this.floors[1]!.at >= FLOOR_AGE_MS) this.floors.shift();
  }
}
