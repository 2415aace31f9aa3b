import { OutboundFault } from './outbound-fault.js';

/**
 * Passes bytes on and breaks off at `maxBytes`. In an event stream, which may live for hours, each event is
 * counted by itself: the count begins anew after the empty line that ends one.
 */
export function byteLimit(maxBytes: number, isEventStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let count = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const ends = isEventStream ? eventEnds(chunk) : null;
      const reached = count + (ends?.first ?? chunk.length);
      count = ends ? chunk.length - ends.last : reached;
      if (Math.max(reached, count) <= maxBytes) controller.enqueue(chunk);
      else controller.error(new OutboundFault('too_large', 'The answer is larger than 4 MiB. Ask for less at a time.'));
    },
  });
}

/** Where the first and the last event in `chunk` end. An end split between two chunks is found with the next one. */
function eventEnds(chunk: Uint8Array): { first: number; last: number } | null {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const found = EVENT_ENDS.filter((end) => bytes.includes(end));
  if (found.length === 0) return null;
  const first = Math.min(...found.map((end) => bytes.indexOf(end) + end.length));
  const last = Math.max(...found.map((end) => bytes.lastIndexOf(end) + end.length));
  return { first, last };
}

const EVENT_ENDS = ['\n\n', '\r\n\r\n', '\r\r'];
