import { OutboundError } from './outbound.errors.js';

/**
 * Passes a body on and aborts it at `maxBytes`. In an event stream, which may last for hours, each event is counted
 * separately. `onDone` is called once, when the body ended, when its reader cancelled it, or with the error when it failed.
 */
export function boundedBody(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  isEventStream: boolean,
  onDone: (error?: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const count = new ByteCount(isEventStream);
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done && count.add(value) > maxBytes) throw TOO_LARGE;
        if (!done) return controller.enqueue(value);
        onDone();
        controller.close();
      } catch (error) {
        onDone(error);
        controller.error(error);
        await reader.cancel(error);
      }
    },
    async cancel(reason) {
      onDone();
      await reader.cancel(reason);
    },
  });
}

/** Counts the received bytes, in an event stream since the last empty line, which ends an event. */
class ByteCount {
  private count = 0;

  constructor(private readonly isEventStream: boolean) {}

  /** Returns the highest count reached. The end of an event that two chunks share is found with the second. */
  add(chunk: Uint8Array): number {
    const ends = this.isEventStream ? eventEnds(chunk) : null;
    const reached = this.count + (ends?.first ?? chunk.length);
    this.count = ends ? chunk.length - ends.last : reached;
    return Math.max(reached, this.count);
  }
}

function eventEnds(chunk: Uint8Array): { first: number; last: number } | null {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const found = EVENT_ENDS.filter((end) => bytes.includes(end));
  if (found.length === 0) return null;
  const first = Math.min(...found.map((end) => bytes.indexOf(end) + end.length));
  const last = Math.max(...found.map((end) => bytes.lastIndexOf(end) + end.length));
  return { first, last };
}

const EVENT_ENDS = ['\n\n', '\r\n\r\n', '\r\r'];
const TOO_LARGE = new OutboundError(
  'too_large',
  'The response is larger than the service accepts. Request less at a time.',
);
