import type { Response } from 'express';
import type { Principal } from '../../platform/authentication/principal.js';
import type { Event } from './events.repository.js';

// The times of event streams (contract §8.3), in milliseconds.

/** The greatest delay of an event. */
export const POLL_MS = 100;

/** Rights also end without an event, such as at the expiry of a key: they are checked at least this often. */
export const RIGHTS_MS = 1_000;

/** How often a comment line keeps a connection open. */
export const KEEP_OPEN_MS = 15_000;

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
    if (!this.response.write(text)) this.stalledSince ??= Date.now();
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
