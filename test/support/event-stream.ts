import type { Readable } from 'node:stream';
import type { Caller } from './caller.js';
import { until } from './until.js';

/** One event as received. */
export interface ReceivedEvent {
  id: string;
  type: string;
  at: string;
  projectId: string | null;
  actor: { type: string; id: string | null; name: string };
  subject: { type: string; id: string | null };
  data: Record<string, unknown>;
}

/** A reader of GET /api/events, as a standard client of server-sent events. */
export class EventStream {
  readonly events: ReceivedEvent[] = [];
  comments = 0;
  /** The value that a client would send as Last-Event-ID. */
  lastId = '';
  ended = false;
  private rest = '';

  private constructor(private readonly body: Readable) {
    body.setEncoding('utf8');
    body.on('data', (text: string) => this.take(text));
    // An aborted response is an end, as `ended` shows.
    body.on('error', () => undefined);
    body.once('close', () => (this.ended = true));
  }

  /** Opens a stream and waits until its beginning is settled. */
  static async open(caller: Caller, lastEventId?: string, query = ''): Promise<EventStream> {
    const headers: Record<string, string> = lastEventId ? { 'last-event-id': lastEventId } : {};
    const response = await caller.open('GET', `/api/events${query}`, { headers });
    if (response.statusCode !== 200)
      throw new Error(`GET /api/events gave ${response.statusCode}: ${await response.body.text()}`);
    const stream = new EventStream(response.body);
    await until(() => stream.lastId !== '');
    return stream;
  }

  /** Waits for the first event that fits. */
  next(fits: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent> {
    return until(() => this.events.find(fits));
  }

  /** Waits until the service ends the stream. */
  async end(): Promise<void> {
    await until(() => this.ended);
  }

  close(): void {
    this.body.destroy();
  }

  private take(text: string): void {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop()!;
    for (const block of blocks) this.read(block.split('\n'));
  }

  private read(lines: string[]): void {
    for (const line of lines) {
      if (line.startsWith(':')) this.comments += 1;
      if (line.startsWith('id: ')) this.lastId = line.slice(4);
      if (line.startsWith('data: ')) this.events.push(JSON.parse(line.slice(6)) as ReceivedEvent);
    }
  }
}
