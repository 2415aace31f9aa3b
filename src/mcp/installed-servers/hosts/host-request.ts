import type { ClientRequest, IncomingMessage } from 'node:http';
import { readFrames, writeFrame, type Frame } from './frames.js';
import { fromWire, toWire, type WireError } from './wire-errors.js';

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
      this.over.abort();
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
