import { once } from 'node:events';
import type { Readable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { jsonText, withoutMarks } from '../../../platform/json/exact-json.js';
import type { StopLadder } from '../supervision/end-process.js';
import type { McpProcess } from '../supervision/start-process.js';
import { settlesWithin } from './deadlines.js';
import { forClient } from './exact-messages.js';
import { type Frame, FrameReader, OrderedInbox, PendingIds } from './frames.js';
import { McpUnavailable, tooLargeAnswer } from './mcp-errors.js';
import { withoutNullMembers } from './null-members.js';
import { ShortRequests } from './short-requests.js';

/** Where the log of a server goes: its stderr as it comes, and lines about what else it wrote. */
export interface ServerLog {
  stderr: (bytes: Buffer) => void;
  note: (line: string) => void;
}

/**
 * MCP over the standard streams of a child process, for a service that runs for a long time. It fixes what was seen to
 * fail in the SDK's own transport: progress is delivered before the result that follows it, stderr is always drained,
 * the end of the leading process is the end of the connection, frames and queues have limits, responses without a
 * request are dropped, and a frame that is too large fails only its own call.
 *
 * `pid` and `stderr` are what the SDK recognises a stdio transport by: only then does it take silence on the
 * probe for an old server.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly stderr = null;
  /** True once the old handshake was sent: before it, an exit may be an old server's answer to the probe. */
  initializeSent = false;
  /** The probe of the new era for as long as it has no answer, which may come after the client has given it up. */
  private unansweredProbe: unknown = null;
  /** Why the connection ended, as far as the transport ended it. */
  fault: McpUnavailable | null = null;
  /** Requests past the SDK's client. */
  readonly short = new ShortRequests((message) => this.write(message));

  /** What was read on stdout and is no message; `first` is the first line of it. */
  readonly stray = { count: 0, first: '' };

  private readonly frames: FrameReader;
  private readonly pending = new PendingIds();
  private readonly inbox: OrderedInbox<JSONRPCMessage>;
  private garbageInARow = 0;
  private closed = false;

  constructor(
    private readonly child: McpProcess,
    private readonly log: ServerLog,
    private readonly maxFrameBytes: number,
  ) {
    this.frames = new FrameReader(maxFrameBytes);
    this.inbox = new OrderedInbox(
      (message) => this.deliver(message),
      (message) => !('id' in message),
      (tooLong) => (tooLong ? this.child.process.stdout.pause() : this.child.process.stdout.resume()),
    );
  }

  get pid(): number {
    return this.child.pid;
  }

  /** Whether the server took the probe without a word. */
  get probeIgnored(): boolean {
    return this.unansweredProbe !== null;
  }

  async start(): Promise<void> {
    const { stdout, stderr } = this.child.process;
    stdout.on('data', (chunk: Buffer) => this.read(chunk));
    stderr.on('data', (chunk: Buffer) => this.log.stderr(chunk));
    stdout.on('error', (error) => this.onerror?.(error));
    stderr.on('error', (error) => this.onerror?.(error));
    void this.closeAfterExit();
  }

  /** Rejects instead of waiting: a server that doesn't read its input must not hold up its callers. */
  async send(message: JSONRPCMessage): Promise<void> {
    this.write(message);
  }

  close(): Promise<void> {
    return this.end();
  }

  async end(ladder?: StopLadder): Promise<void> {
    this.finish();
    await this.child.end(ladder);
  }

  private write(message: JSONRPCMessage): void {
    if (this.closed) throw this.fault ?? new McpUnavailable('died', 'The server has ended.');
    const frame = Buffer.from(`${withoutMarks(jsonText(message))}\n`);
    if (frame.length > this.maxFrameBytes)
      throw new McpUnavailable(
        'too_large',
        `The arguments are larger than ${this.maxFrameBytes} bytes. Send less.`,
      );
    const { stdin } = this.child.process;
    if (stdin.writableLength + frame.length > 2 * this.maxFrameBytes) {
      throw new McpUnavailable(
        'busy',
        'The server does not read its input. Try again later, or have it restarted.',
      );
    }
    if ('method' in message && message.method === 'initialize') this.initializeSent = true;
    if ('id' in message && 'method' in message && message.method === PROBE) this.unansweredProbe = message.id;
    this.pending.noteSent(message);
    this.gatherWrites();
    stdin.write(frame);
  }

  /** What is sent in one turn of the event loop goes out in one write. */
  private gatherWrites(): void {
    const { stdin } = this.child.process;
    if (stdin.writableCorked > 0) return;
    stdin.cork();
    process.nextTick(() => stdin.uncork());
  }

  private read(chunk: Buffer): void {
    if (this.closed) return;
    for (const frame of this.frames.read(chunk)) this.take(frame);
    if (this.frames.skipped > MAX_SKIPPED_BYTES)
      this.fail('too_large', 'The server sent a message without end and was stopped.');
  }

  private take(frame: Frame): void {
    if (frame.kind === 'garbage') return this.takeGarbage(frame.text);
    if (frame.kind === 'oversized') return this.takeOversized(frame.id);
    const messages: unknown[] = Array.isArray(frame.value) ? frame.value : [frame.value];
    if (messages.length > MAX_BATCH) return this.takeGarbage(`a batch of ${messages.length} messages`);
    for (const given of messages) {
      if (this.probeIgnored) this.noteProbeAnswer(given);
      const message = isRpc(given) ? withoutNullMembers(given) : null;
      if (message === null) this.takeGarbage(jsonText(given));
      else if (this.pending.isExpected(message)) {
        this.garbageInARow = 0;
        this.inbox.push(message);
      }
    }
  }

  private noteProbeAnswer(message: unknown): void {
    if (isRpc(message) && 'id' in message && message.id === this.unansweredProbe) this.unansweredProbe = null;
  }

  /** Banners and log lines on stdout are survived; a server that says nothing else is not. */
  private takeGarbage(text: string): void {
    this.log.note(`[stdout] ${text}`);
    if (this.stray.count === 0) this.stray.first = text;
    this.stray.count += 1;
    this.garbageInARow += 1;
    if (this.garbageInARow >= MAX_GARBAGE_IN_A_ROW) {
      this.fail('bad_answer', 'The server writes something else than MCP to its output and was stopped.');
    }
  }

  private takeOversized(id: number | string | undefined): void {
    const answer = id === undefined ? null : tooLargeAnswer(id);
    if (answer && this.pending.isExpected(answer)) this.inbox.push(answer);
  }

  private deliver(message: JSONRPCMessage): void {
    try {
      if (!this.short.take(message)) this.onmessage?.(forClient(message));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }

  private fail(kind: 'too_large' | 'bad_answer', reason: string): void {
    if (this.closed) return;
    this.fault = new McpUnavailable(kind, reason);
    void this.end(IMPATIENT);
  }

  /** What the server wrote before it ended, its reasons on stderr too, is still read, unless a grandchild holds the pipe open. */
  private async closeAfterExit(): Promise<void> {
    await this.child.exited;
    const { stdout, stderr } = this.child.process;
    await settlesWithin(Promise.all([closeOf(stdout), closeOf(stderr)]), LAST_WORDS_MS);
    await this.inbox.drained();
    if (await this.child.ranOutOfMemory) this.fault ??= OUT_OF_MEMORY;
    await this.close();
  }

  private finish(): void {
    if (this.closed) return;
    this.closed = true;
    const { unfinished } = this.frames;
    if (unfinished !== '') this.log.note(`[stdout, without the end of a line] ${unfinished}…`);
    this.short.end(this.fault ?? DIED);
    this.onclose?.();
  }
}

const DIED = new McpUnavailable(
  'died',
  'The connection to the server ended before it responded. Try again: the server is started again.',
);

const OUT_OF_MEMORY = new McpUnavailable(
  'memory',
  'The server used more memory than its limit and was ended by the kernel. Request less at a time.',
);

async function closeOf(stream: Readable): Promise<void> {
  if (!stream.closed) await once(stream, 'close');
}

function isRpc(value: unknown): value is JSONRPCMessage {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
}

const PROBE = 'server/discover';
/** So much of one line is read past; a longer one is a server gone mad. */
const MAX_SKIPPED_BYTES = 256 * 1024 * 1024;
const MAX_BATCH = 100;
const MAX_GARBAGE_IN_A_ROW = 50;
const LAST_WORDS_MS = 100;
/** For a server that no longer makes sense there is nothing to wait for. */
const IMPATIENT: StopLadder = { afterEndOfInputMs: 0, afterTerminateMs: 1_000 };
