import type { Attributes, Span } from '@opentelemetry/api';
import { ContextSlot } from '../concurrency/queues-semaphores-and-context-slots.js';

export interface SpanOptions {
  /** What the span stands for: a request that came in, or one that goes out; neither by default. */
  kind?: 'server' | 'client';
  /** Never a value of a user: no text, header, argument, query or credential (contract §8.8). */
  attributes?: Attributes;
  /** The `traceparent` to continue in place of the current span, which the new span then links to. */
  continues?: string | null;
}

/** Starts spans with the SDK of OpenTelemetry. */
export interface SpanStarter {
  /** @param parent null where a trace may begin */
  start(name: string, options: SpanOptions, parent: Span | null): Span;
}

/** `SpanStatusCode.ERROR`, whose enum would have to be loaded. */
const FAILED = 2;

/** null while traces are off, so that each place of a span costs one comparison. */
let starter: SpanStarter | null = null;
const current = new ContextSlot<Span>();

/** Turns traces on, or off with null. The SDK is loaded by `startTracing` and nowhere else. */
export function setSpanStarter(given: SpanStarter | null): void {
  starter = given;
}

/**
 * Returns the span of the work that runs now, or null where nothing is recorded: traces are off, the trace is not
 * sampled, or the work goes on after its span has ended, as the service's own background work does.
 */
export function currentSpan(): Span | null {
  if (starter === null) return null;
  const span = current.get();
  return span?.isRecording() ? span : null;
}

/** Returns the `traceparent` of the current span, sampled or not; null where there is none. */
export function currentTraceparent(): string | null {
  const span = starter && current.get();
  if (!span) return null;
  const { traceId, spanId, traceFlags } = span.spanContext();
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Starts the span of a request that came in, which is the root of all others. Returns null while traces are off. */
export function startRootSpan(name: string, options: SpanOptions): Span | null {
  return starter && starter.start(name, options, null);
}

/** Runs `work` with this span as the current one. */
export function withSpan<T>(span: Span, work: () => T): T {
  return current.run(span, work);
}

/** Runs `work` outside of the current span, for what serves several requests at once. */
export function withoutSpan<T>(work: () => T): T {
  return starter === null ? work() : current.exit(work);
}

/** Runs `work` in a child of the current span. Where nothing is recorded it only runs `work`. */
export function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const parent = currentSpan();
  if (!starter || !parent) return work(null);
  const span = starter.start(name, options, parent);
  return current.run(span, async () => {
    try {
      return await work(span);
    } catch (error) {
      markFailed(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Marks a span as failed. @param type a word from a fixed set */
export function markSpanFailed(span: Span, type: string): void {
  span.setStatus({ code: FAILED }).setAttribute('error.type', type.slice(0, 64));
}

/** Marks a span as failed by the code or class of an error. The message of an error may quote what a user sent. */
function markFailed(span: Span, error: unknown): void {
  const { code } = (error ?? {}) as { code?: unknown };
  const isCode = typeof code === 'string' || typeof code === 'number';
  markSpanFailed(span, isCode ? String(code) : error instanceof Error ? error.constructor.name : 'error');
}
