import { parseJson } from '../../../platform/json/exact-json.js';
import { JsonOutline } from '../../../platform/http/body/json-outline.js';

/** What a line of a server's stdout turned out to be. */
export type Frame =
  | { kind: 'message'; value: unknown }
  /** A line that is no JSON. */
  | { kind: 'garbage' }
  /** A line over the cap, or nested too deep; `id` is the id that it carries, if it carries one. */
  | { kind: 'oversized'; id: number | string | undefined };

/**
 * Cuts a byte stream into lines of JSON (newline-delimited JSON-RPC, the stdio framing of MCP). A line over
 * `maxBytes` is never held: it is read past, and only its id is kept.
 */
export class FrameReader {
  private chunks: Buffer[] = [];
  private held = 0;
  private outline: JsonOutline | null = null;

  constructor(private readonly maxBytes: number) {}

  /** How many bytes of a line over the cap have been read past so far. */
  skipped = 0;

  *read(chunk: Buffer): Generator<Frame> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.take(chunk.subarray(start, end));
      start = end + 1;
      const frame = this.endLine();
      if (frame) yield frame;
    }
    this.take(chunk.subarray(start));
  }

  private take(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (!this.outline && this.held + bytes.length <= this.maxBytes) {
      this.chunks.push(bytes);
      this.held += bytes.length;
      return;
    }
    if (this.outline) this.outline.feed(bytes);
    else this.beginOutline(bytes);
    this.skipped += bytes.length;
  }

  private beginOutline(bytes: Buffer): void {
    this.outline = new JsonOutline();
    this.outline.feed(withoutLeading(Buffer.concat([...this.chunks, bytes])));
    this.chunks = [];
  }

  private endLine(): Frame | null {
    const { outline } = this;
    const line = Buffer.concat(this.chunks);
    this.chunks = [];
    this.held = 0;
    this.outline = null;
    this.skipped = 0;
    if (outline) return { kind: 'oversized', id: outline.id };
    return line.every(isBlank) ? null : parse(line);
  }
}

function parse(whole: Buffer): Frame {
  const line = withoutTrailing(withoutLeading(whole));
  const outline = new JsonOutline();
  // Only a line with enough brackets can nest too deep: the short ones are not walked twice.
  if (line.length > 2 * MAX_DEPTH) outline.feed(line);
  if (outline.deepest > MAX_DEPTH) return { kind: 'oversized', id: outline.id };
  try {
    return { kind: 'message', value: parseJson(line.toString('utf8')) };
  } catch {
    // The line is not JSON. The transport counts such lines and ends the connection after many.
    return { kind: 'garbage' };
  }
}

/**
 * Returns a line from its first brace on: a byte order mark or escape sequences without an end of line may stand before a
 * message. A batch begins with a bracket, and is as it came.
 */
function withoutLeading(line: Buffer): Buffer {
  if (line[0] === BRACE) return line;
  const brace = line.indexOf(BRACE);
  return brace < 0 || line.find((byte) => !isBlank(byte)) === BRACKET ? line : line.subarray(brace);
}

/** Returns a line up to its last brace: a program that colors its lines ends each of them with an escape sequence. */
function withoutTrailing(line: Buffer): Buffer {
  return line[0] === BRACE && line.at(-1) !== END_BRACE
    ? line.subarray(0, line.lastIndexOf(END_BRACE) + 1)
    : line;
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09;
}

const NEWLINE = 0x0a;
const BRACE = 0x7b;
const END_BRACE = 0x7d;
const BRACKET = 0x5b;

/** Deeper than any honest tool result, shallow enough for the recursive code that results pass through. */
export const MAX_DEPTH = 256;
