import type { Readable, Writable } from 'node:stream';
import { jsonText, parseJson } from '../../../platform/json/exact-json.js';

/**
 * A message of a request to a tools host. The request and its response are two streams of such lines of JSON.
 *
 * - `ask` and `reply`: a question to the other side while the request runs, and its answer.
 * - `note`: something that needs no answer.
 * - `end`: the result of the request, the last line.
 */
export type Frame =
  | { kind: 'begin'; operation: string; args: unknown; origin: unknown }
  | { kind: 'ask'; id: number; what: string; value: unknown }
  | { kind: 'reply'; id: number; value?: unknown; error?: unknown }
  | { kind: 'note'; what: string; value: unknown }
  | { kind: 'end'; value?: unknown; error?: unknown };

const NEWLINE = 0x0a;

export function writeFrame(stream: Writable, frame: Frame): void {
  if (!stream.destroyed && !stream.writableEnded) stream.write(`${jsonText(frame)}\n`);
}

/**
 * Calls `take` with each frame of a stream. Both sides are of this service and authenticated, and the size of what they
 * pass on is limited where it comes in, so lines have no limit of their own.
 */
export function readFrames(stream: Readable, take: (frame: Frame) => void): void {
  let held: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      const line = Buffer.concat([...held, chunk.subarray(start, end)]);
      held = [];
      start = end + 1;
      take(parseJson(line.toString('utf8')) as Frame);
    }
    if (start < chunk.length) held.push(chunk.subarray(start));
  });
}
