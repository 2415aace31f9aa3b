import { OutboundFault } from './outbound-fault.js';

/**
 * Passes bytes on and breaks off at `maxBytes`. In an event stream, which may live for hours, each event is
 * counted by itself: the count begins anew after the empty line that ends one.
 */
export function byteLimit(maxBytes: number, isEventStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const eventEnd = isEventStream ? lastEventEnd(chunk) : -1;
      count = eventEnd < 0 ? count + chunk.length : chunk.length - eventEnd;
      if (count > maxBytes) {
        controller.error(new OutboundFault('too_large', 'The answer is larger than 4 MiB. Ask for less at a time.'));
      } else controller.enqueue(chunk);
    },
  });
}

/** Where the last event in `chunk` ends, or -1. An end split between two chunks is found by the next one. */
function lastEventEnd(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(...EVENT_ENDS.map((end) => (bytes.lastIndexOf(end) < 0 ? -1 : bytes.lastIndexOf(end) + end.length)));
}

const EVENT_ENDS = ['\n\n', '\r\n\r\n', '\r\r'];
