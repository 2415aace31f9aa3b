import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller.js';
import { EventStream, type ReceivedEvent } from './event-stream.js';

/** A reader of events as a dashboard is one: when the stream ends, it connects again with its last id. */
export class ReconnectingReader {
  readonly events: ReceivedEvent[] = [];
  connects = 0;
  private stopped = false;
  private readonly done: Promise<void>;
  private lastId: string | undefined;

  private constructor(
    private readonly caller: Caller,
    first: EventStream,
  ) {
    this.done = this.follow(first);
  }

  static async begin(caller: Caller): Promise<ReconnectingReader> {
    return new ReconnectingReader(caller, await EventStream.open(caller));
  }

  /** The subjects of the events of this type, in order. */
  subjectsOf(type: string): (string | null)[] {
    return this.events.filter((event) => event.type === type).map(({ subject }) => subject.id);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    await this.done;
  }

  private async follow(first: EventStream): Promise<void> {
    for (let stream: EventStream | null = first; !this.stopped; stream = await this.connect())
      if (stream) await this.drain(stream);
      else await sleep(50);
  }

  private async drain(stream: EventStream): Promise<void> {
    this.connects += 1;
    while (!stream.ended && !this.stopped) {
      await sleep(10);
      this.events.push(...stream.events.splice(0));
    }
    stream.close();
    this.events.push(...stream.events.splice(0));
    this.lastId = stream.lastId;
  }

  private connect(): Promise<EventStream | null> {
    // A service that is away refuses: `follow` tries again.
    return EventStream.open(this.caller, this.lastId).catch(() => null);
  }
}
