import type { Response } from 'express';
import type { Principal } from '../../../platform/auth/principal.js';

/** Beyond this nothing more is handed to a reader before it has taken what it was given. */
const MOST_WAITING_BYTES = 256 * 1024;
/** A reader that takes nothing for so long is closed; it resumes with its Last-Event-ID. */
const LONGEST_STALL_MS = 30_000;

/**
 * One open event stream. What was not taken yet is bounded: a slow reader falls behind in the journal, which
 * keeps everything, and not in this process's memory.
 */
export class EventReader {
  private stalledSince: number | null = null;

  /** @param position the reader has everything up to here that it may see */
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

  /** Ends the stream in good order; `cut` where the reader does not even take that. */
  end(): void {
    this.response.end();
  }

  cut(): void {
    this.response.destroy();
  }
}
