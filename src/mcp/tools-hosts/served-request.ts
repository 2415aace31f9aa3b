import type { IncomingMessage, ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import type { CallStartRule } from './call-starts.service.js';
import { type Frame, fromWire, readFrames, toWire, type WireError, writeFrame } from './host-request.js';

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
    this.response.on('close', () => this.gone.abort());
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
