import type { Response } from 'express';
import type { Principal } from '../../../platform/auth/principal.js';

/** A reader with this much unsent data is sent nothing more until it has read. */
const MOST_WAITING_BYTES = 256 * 1024;
/** A reader that reads nothing for this long is disconnected; it resumes with its Last-Event-ID. */
const LONGEST_STALL_MS = 30_000;

/**
 * One open event stream. Its unsent data is bounded: a slow reader falls behind in the journal, which keeps every row,
 * and does not fill this process's memory.
 */
export class EventReader {
  private stalledSince: number | null = null;

  /** @param position the reader has been sent every event up to here that it may see */
  constructor(
    readonly principal: Principal,
    public position: number,
    private readonly response: Response,
  ) {
    response.on('drain', () => (this.stalledSince = null));
  }

  get isReady(): boolean {
    return this.response.writableLength < MOST_WAITING_BYTES;
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
