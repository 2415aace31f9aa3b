import { OutboundFault } from './outbound-fault.js';

/**
 * Passes a body on and breaks off at `maxBytes`. In an event stream, which may live for hours, each event is
 * counted by itself. `onDone` is called once, whether the body ended, was given up by its reader, or failed, then
 * with the error.
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

/** How many bytes have come, or in an event stream since the last empty line, which ends an event. */
class ByteCount {
  private count = 0;

  constructor(private readonly isEventStream: boolean) {}

  /** Answers the most that was reached. An end split between two chunks is found with the next one. */
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
const TOO_LARGE = new OutboundFault('too_large', 'The answer is larger than 4 MiB. Ask for less at a time.');
