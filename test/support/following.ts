import { setTimeout as sleep } from 'node:timers/promises';
import type { Caller } from './caller.js';
import { EventStream, type ReceivedEvent } from './event-stream.js';

/** A reader of events as a dashboard is one: when the stream ends it connects again, with the last id it has. */
export class Following {
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

  static async begin(caller: Caller): Promise<Following> {
    return new Following(caller, await EventStream.open(caller));
  }

  /** Ids of what was told by events of this type, in order. */
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
    return EventStream.open(this.caller, this.lastId).catch(() => null);
  }
}
