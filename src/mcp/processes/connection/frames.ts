import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { ExactNumber, parseJson } from '../../../platform/json/exact-json.js';
import { JsonOutline } from '../../../platform/json/json-outline.js';

/** True where a parsed value nests deeper than `limit` levels; looks no deeper than that. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return false;
  return limit === 0 || Object.values(value).some((member) => isDeeperThan(member, limit - 1));
}

/**
 * Delivers messages one by one and in order, and lets one macrotask pass after each notification.
 *
 * Why: the SDK handles a notification in a microtask but a response at once, so that progress which arrives
 * in the same read as its result is thrown away as 'unknown token' (typescript-sdk #2580: lost in 50 of 50).
 */
export class OrderedInbox<Message> {
  private readonly waiting: Message[] = [];
  private pumping = false;

  constructor(
    private readonly deliver: (message: Message) => void,
    private readonly isNotification: (message: Message) => boolean,
    /** Called when the backlog becomes too long and when it is empty again, so that the sender can be paused. */
    private readonly onBacklog: (tooLong: boolean) => void = () => undefined,
  ) {}

  push(message: Message): void {
    this.waiting.push(message);
    if (this.waiting.length === MAX_BACKLOG) this.onBacklog(true);
    void this.pump();
  }

  /** Resolves when everything that was pushed before has been delivered. */
  async drained(): Promise<void> {
    while (this.pumping) await nextMacrotask();
  }

  private async pump(): Promise<void> {
    if (this.pumping) return;
    this.pumping = true;
    for (let message = this.waiting.shift(); message !== undefined; message = this.waiting.shift()) {
      this.deliver(message);
      if (this.isNotification(message)) await nextMacrotask();
    }
    this.pumping = false;
    this.onBacklog(false);
  }
}

function nextMacrotask(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** A server that floods notifications is read no faster than they are handled. */
const MAX_BACKLOG = 256;

/**
 * The requests that still wait for a response. A response whose id is unknown, already answered, cancelled or of
 * another type is not expected: the SDK would take the ids `""` and `null` for call 0.
 */
export class PendingIds {
  private readonly ids = new Set<string | number>();

  noteSent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) this.ids.add(message.id);
    else if (message.method === 'notifications/cancelled') this.forget(message.params?.requestId);
  }

  /** True for requests and notifications, and once for the answer to each request that was sent. */
  isExpected(message: JSONRPCMessage): boolean {
    if ('method' in message) return true;
    const id: unknown = 'id' in message ? message.id : undefined;
    return (typeof id === 'string' || typeof id === 'number') && this.ids.delete(id);
  }

  private forget(id: unknown): void {
    if (typeof id === 'string' || typeof id === 'number') this.ids.delete(id);
  }
}

/** The largest messages and listings of a server, in bytes (contract §9.1). */
export interface MessageLimits {
  /** `MCP_FRAME_MAX_BYTES` */
  frameMaxBytes: number;
  /** `MCP_TOOLS_MAX_BYTES` */
  toolsMaxBytes: number;
}

export const DEFAULT_LIMITS: MessageLimits = {
  frameMaxBytes: 4 * 1024 * 1024,
  toolsMaxBytes: 8 * 1024 * 1024,
};

/** What a line of a server's stdout turned out to be. */
export type Frame =
  | { kind: 'message'; value: unknown }
  /** A line that is no JSON. */
  | { kind: 'garbage'; text: string }
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

  /**
   * The beginning of a line whose end has not come, as text without its last word, which may be the beginning of a secret;
   * empty where there is none.
   */
  get unfinished(): string {
    const text = Buffer.concat(this.chunks).toString('utf8').trim();
    let end = text.length;
    // An expression for this takes the square of the length of the word before.
    while (end > 0 && !/\s/.test(text[end - 1]!)) end -= 1;
    return text.slice(0, end);
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
    return { kind: 'garbage', text: whole.toString('utf8') };
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
