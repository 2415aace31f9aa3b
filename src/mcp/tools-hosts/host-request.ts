import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Readable, Writable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { type FieldError, Problem, type ProblemCode } from '../../platform/http/problem.js';
import { jsonText, parseJson } from '../../platform/json/exact-json.js';
import { McpError, McpUnavailable, type UnavailableKind } from '../processes/connection/mcp-errors.js';
import { QuestionRefused } from '../processes/connection/server-questions-and-resource-streams.js';
import type { CallStartRule } from './call-starts.service.js';

/**
 * A message of a request to a tools host. The request and its response are two streams of such lines of JSON.
 *
 * - `ask` and `reply`: a question to the other side while the request runs, and its answer.
 * - `note`: something that needs no answer.
 * - `end`: the result of the request, the last line.
 */
type Frame =
  | { kind: 'begin'; operation: string; args: unknown; origin: unknown }
  | { kind: 'ask'; id: number; what: string; value: unknown }
  | { kind: 'reply'; id: number; value?: unknown; error?: unknown }
  | { kind: 'note'; what: string; value: unknown }
  | { kind: 'end'; value?: unknown; error?: unknown };

const NEWLINE = 0x0a;

function writeFrame(stream: Writable, frame: Frame): void {
  if (!stream.destroyed && !stream.writableEnded) stream.write(`${jsonText(frame)}\n`);
}

/**
 * Calls `take` with each frame of a stream. Both sides are of this service and authenticated, and the size of what they
 * pass on is limited where it comes in, so lines have no limit of their own.
 */
function readFrames(stream: Readable, take: (frame: Frame) => void): void {
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

/** An error as it travels between processes of this service. */
export type WireError =
  | { type: 'mcp'; code: number; message: string; data?: unknown }
  | { type: 'unavailable'; kind: UnavailableKind; reason: string; retryAfterSeconds?: number }
  | { type: 'question'; message: string }
  | { type: 'start'; refusal: unknown }
  /** The host drains, and has not begun the request. */
  | { type: 'moved' }
  | {
      type: 'problem';
      code: ProblemCode;
      detail: string;
      errors?: FieldError[];
      members: Record<string, unknown>;
      headers: Record<string, string>;
    }
  | { type: 'internal' };

/** Returns the form of an error on the wire. One that has none is of the type `internal`. */
export function toWire(error: unknown): WireError {
  if (error instanceof McpError)
    return { type: 'mcp', code: error.code, message: error.message, data: error.data };
  if (error instanceof McpUnavailable) {
    const { kind, reason, retryAfterSeconds } = error;
    return { type: 'unavailable', kind, reason, retryAfterSeconds };
  }
  if (error instanceof QuestionRefused) return { type: 'question', message: error.message };
  if (!(error instanceof Problem)) return { type: 'internal' };
  const { code, detail, errors, members, headers } = error;
  return { type: 'problem', code, detail, errors, members, headers };
}

export function fromWire(error: WireError): Error {
  if (error.type === 'mcp') return new McpError(error.code, error.message, error.data);
  if (error.type === 'unavailable')
    return new McpUnavailable(error.kind, error.reason, error.retryAfterSeconds);
  if (error.type === 'question') return new QuestionRefused(error.message);
  if (error.type === 'problem') {
    const { errors, members, headers } = error;
    return new Problem(error.code, error.detail, { errors, members, headers });
  }
  return new Error('A tools host failed. Its log has the error.');
}

/** The reason of the signals below: an abort without one makes an error with a stack, at each call. */
const ENDED = new Error('The request has ended.');

/** A tools host did not take a request, or was lost before it responded. */
export class HostLost extends Error {
  /** @param isUnsent whether it is certain that the host has not begun the request */
  constructor(readonly isUnsent: boolean) {
    super('A tools host was lost.');
  }
}

/** The answers to what the host asks while it works on the request, and what it notes. */
export interface Answers {
  ask?: (what: string, value: unknown, over: AbortSignal) => Promise<unknown>;
  note?: (what: string, value: unknown) => void;
  /** Returns a refusal of the rule by which calls begin. */
  refused?: (refusal: unknown) => Error;
}

/** One request to a tools host, which has its connection for itself while it runs. */
export class HostRequest {
  private readonly over = new AbortController();
  private isConnected = false;
  private isDone = false;

  constructor(
    private readonly request: ClientRequest,
    private readonly answers: Answers,
  ) {}

  /**
   * Sends the request, and returns its result. The host cancels it when `signal` fires.
   * @throws {HostLost} when the host is gone; else the error that the host returned
   */
  async run(begin: { operation: string; args: unknown; origin: unknown }, signal?: AbortSignal) {
    const cancel = (): void => void this.request.destroy();
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      if (signal?.aborted) throw new HostLost(true);
      return await this.exchange(begin);
    } finally {
      signal?.removeEventListener('abort', cancel);
      this.over.abort(ENDED);
      // The connection of a request that has its result serves the next one.
      if (!this.isDone) this.request.destroy();
    }
  }

  /** Ends the request, because its host is gone: a host that lost its power closes no connection. */
  lose(): void {
    this.request.destroy();
  }

  private exchange(begin: { operation: string; args: unknown; origin: unknown }): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const lost = (): void => reject(new HostLost(!this.isConnected));
      this.request.on('error', lost).on('close', lost);
      this.request.once('response', (response: IncomingMessage) => {
        if (response.statusCode !== 200) return lost();
        response.on('error', lost).on('close', lost);
        readFrames(response, (frame) => {
          if (frame.kind !== 'end') return this.take(frame);
          if (frame.error === undefined) resolve(frame.value);
          else reject(this.errorOf(frame.error as WireError));
          this.isDone = true;
          this.request.end();
        });
      });
      this.whenConnected(() => writeFrame(this.request, { kind: 'begin', ...begin }));
    });
  }

  /** Nothing is written before the host has shown that it has the key. */
  private whenConnected(write: () => void): void {
    this.request.once('socket', (socket) => {
      const connected = (): void => {
        this.isConnected = true;
        write();
      };
      if (this.request.reusedSocket) connected();
      else socket.once('secureConnect', connected);
    });
    this.request.flushHeaders();
  }

  private take(frame: Frame): void {
    if (frame.kind === 'note') this.answers.note?.(frame.what, frame.value);
    if (frame.kind !== 'ask') return;
    const { id, what, value } = frame;
    const asked = this.answers.ask?.(what, value, this.over.signal) ?? Promise.reject(new Error());
    asked.then(
      (answer) => writeFrame(this.request, { kind: 'reply', id, value: answer }),
      (error: unknown) => writeFrame(this.request, { kind: 'reply', id, error: toWire(error) }),
    );
  }

  private errorOf(error: WireError): Error {
    if (error.type === 'moved') return new HostLost(true);
    if (error.type === 'start' && this.answers.refused) return this.answers.refused(error.refusal);
    return fromWire(error);
  }
}

/** The host drains and does not begin this request. */
export class HostMoved extends Error {}

type Work = (operation: string, args: unknown, origin: unknown) => Promise<unknown>;
type Waiting = Record<'resolve' | 'reject', (value: never) => void>;

/** One request of another process of this service. */
export class ServedRequest {
  private readonly log = new Logger(ServedRequest.name);
  private readonly gone = new AbortController();
  private readonly asked = new Map<number, Waiting>();
  private lastId = 0;

  constructor(
    private readonly request: IncomingMessage,
    private readonly response: ServerResponse,
    private readonly startErrors: Pick<CallStartRule, 'refusalOf'>,
  ) {}

  /** Aborted when the other side cancels the request, or is gone. */
  get signal(): AbortSignal {
    return this.gone.signal;
  }

  run(work: Work): void {
    this.response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
    this.response.flushHeaders();
    // An error is followed by `close`.
    this.request.on('error', () => undefined);
    this.response.on('close', () => this.gone.abort(ENDED));
    readFrames(this.request, (frame) => {
      if (frame.kind === 'begin') void this.answer(() => work(frame.operation, frame.args, frame.origin));
      else this.take(frame);
    });
  }

  note(what: string, value: unknown): void {
    writeFrame(this.response, { kind: 'note', what, value });
  }

  /** Asks the other side, and returns its answer. */
  ask(what: string, value: unknown): Promise<unknown> {
    this.lastId += 1;
    const id = this.lastId;
    writeFrame(this.response, { kind: 'ask', id, what, value });
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      this.gone.signal.addEventListener('abort', () => reject(new Error('The caller is gone.')), {
        once: true,
      });
    });
  }

  private take(frame: Frame): void {
    if (frame.kind !== 'reply') return;
    const waiting = this.asked.get(frame.id);
    this.asked.delete(frame.id);
    if (frame.error === undefined) waiting?.resolve(frame.value as never);
    else waiting?.reject(fromWire(frame.error as WireError) as never);
  }

  private async answer(work: () => Promise<unknown>): Promise<void> {
    try {
      writeFrame(this.response, { kind: 'end', value: (await work()) ?? null });
    } catch (error) {
      writeFrame(this.response, { kind: 'end', error: this.wireErrorOf(error) });
    }
    // Node would close a connection whose response ends before its request.
    if (this.request.readableEnded) this.response.end();
    else this.request.once('end', () => this.response.end());
  }

  private wireErrorOf(error: unknown): WireError {
    if (error instanceof HostMoved) return { type: 'moved' };
    const refusal = this.startErrors.refusalOf(error);
    if (refusal !== null) return { type: 'start', refusal };
    const wire = toWire(error);
    if (wire.type === 'internal' && !this.gone.signal.aborted)
      this.log.error(error instanceof Error ? error.stack : String(error));
    return wire;
  }
}
