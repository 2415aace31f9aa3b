import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { DiagLogger, Tracer } from '@opentelemetry/api';
import { type Settings, VERSION } from '../config/settings.js';
import { traceparentFrom } from '../http/request-id-and-traceparent.js';
import { PROBES } from '../http/routes.js';
import { markSpanFailed, setSpanStarter, type SpanStarter, startRootSpan, withSpan } from './spans.js';

const EVERY_MS = 60_000;
const LONGEST = 200;

/**
 * Returns the logger that the SDK writes its problems to: one line per minute, since a collector that is away makes one
 * with every batch. Of an error it takes the message and nothing that the collector responded.
 */
export function exportLog(
  write: (line: string) => void,
  collector: string,
  now = () => performance.now(),
): DiagLogger {
  let [last, left] = [-Infinity, 0];
  const report = (message: string): void => {
    if (now() - last < EVERY_MS) {
      left += 1;
      return;
    }
    const more = left > 0 ? ` (${left} more such problems since the last line)` : '';
    [last, left] = [now(), 0];
    write(`Traces do not reach ${collector}: ${sentenceOf(message).slice(0, LONGEST)}${more}`);
  };
  const ignore = (): void => undefined;
  return { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore };
}

/** The SDK writes an error as JSON with its stack and the collector's response. */
function sentenceOf(message: string): string {
  if (!message.startsWith('{')) return message;
  try {
    const { message: sentence, code } = JSON.parse(message) as Record<string, unknown>;
    return String(sentence || code || 'the export failed');
  } catch {
    // A text that only looks like JSON.
    return message;
  }
}

/**
 * Opens a span per request, under the template of its route: an address has ids in its path, and may have anything in
 * its query. The caller's trace goes on in it. A trace of a probe would show nothing.
 */
export function traceRequests(
  request: IncomingMessage & { user?: { type: string; id: string }; route?: { path?: string } },
  response: ServerResponse,
  next: () => void,
): void {
  const method = request.method ?? '';
  const attributes = { 'http.request.method': method };
  const continues = traceparentFrom(request.headers.traceparent);
  const span = PROBES.has(request.url ?? '')
    ? null
    : startRootSpan(method, { kind: 'server', attributes, continues });
  if (!span) return next();
  response.once('close', () => {
    const { route, user } = request;
    const status = response.statusCode;
    if (route?.path) span.updateName(`${method} ${route.path}`).setAttribute('http.route', route.path);
    if (user) span.setAttribute('awp.caller', `${user.type}:${user.id}`);
    if (response.writableFinished) span.setAttribute('http.response.status_code', status);
    const error = response.writableFinished ? (status >= 500 ? String(status) : null) : 'cut_off';
    if (error) markSpanFailed(span, error);
    span.end();
  });
  withSpan(span, next);
}

type Api = typeof import('@opentelemetry/api');

/** Spans that wait for the collector. Further ones are dropped, so a collector that is away costs no more memory. */
const MOST_WAITING = 2_048;
/** Spans are sent this often, or as soon as there are 512. */
const EXPORT_EVERY_MS = 1_000;
/** Longer than the 10 s after which the exporter gives a batch up by itself. */
const EXPORT_TIMEOUT_MS = 20_000;
/** The shutdown waits this long for the collector. */
const LAST_EXPORT_MS = 1_000;

/** Sends the last spans; null while traces are off. */
let end: (() => Promise<void>) | null = null;

/**
 * Loads the SDK of OpenTelemetry and turns traces on. The packages are imported here alone and stay outside of the
 * bundle, so a service without a collector loads nothing of them.
 */
export async function startTracing(tracing: Settings['tracing']): Promise<void> {
  if (!tracing) return;
  const [api, { TracerProvider, BatchSpanProcessor, ...sdk }, resources, { OTLPTraceExporter }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
  const log = exportLog((line) => new Logger('Traces').warn(line), new URL(tracing.url).host);
  api.diag.setLogger(log, { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  const exporter = new OTLPTraceExporter({
    url: tracing.url,
    concurrencyLimit: 4,
    // Beside those that the SDK takes from the environment. It asks for them at each export.
    headers: async () => headersIn(tracing.headers?.() ?? ''),
  });
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MOST_WAITING,
    scheduledDelayMillis: EXPORT_EVERY_MS,
    exportTimeoutMillis: EXPORT_TIMEOUT_MS,
  });
  const provider = new TracerProvider({
    resource: resources.detectResources({ detectors: [resources.envDetector] }).merge(
      resources.resourceFromAttributes({
        'service.name': tracing.serviceName,
        'service.version': VERSION,
        'service.instance.id': crypto.randomUUID(),
      }),
    ),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(tracing.share) }),
    spanLimits: { attributeValueLengthLimit: 256, linkCountLimit: 8 },
    spanProcessors: [processor],
  });
  setSpanStarter(starterOf(api, provider.getTracer('agent-work-platform', VERSION)));
  // What could not be sent is in the log.
  end = () => provider.shutdown().catch(() => undefined);
}

/** Parses `name=value,name=value` with percent-encoded values, as the SDK does for its variable. */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => pair.split(/=(.*)/s).map((part) => part.trim()));
  return Object.fromEntries(
    pairs.flatMap(([name, value]) => (name && value ? [[name, decoded(value)]] : [])),
  ) as Record<string, string>;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    // A value that is not percent-encoded is taken as it is.
    return value;
  }
}

/** Turns traces off and sends the last spans. The service ends even where the collector does not respond. */
export async function endTracing(): Promise<void> {
  setSpanStarter(null);
  await Promise.race([end?.(), sleep(LAST_EXPORT_MS, undefined, { ref: false })]);
  end = null;
}

function starterOf({ trace, ROOT_CONTEXT, SpanKind }: Api, tracer: Tracer): SpanStarter {
  const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT };
  return {
    start(name, { kind, attributes = {}, continues }, parent) {
      const remote = continues ? trace.wrapSpanContext(contextOf(continues)) : null;
      const above = remote ?? parent;
      const context = above ? trace.setSpan(ROOT_CONTEXT, above) : ROOT_CONTEXT;
      const links = remote && parent ? [{ context: parent.spanContext() }] : [];
      return tracer.startSpan(
        name,
        { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes, links },
        context,
      );
    },
  };
}

/** @param traceparent a valid one */
function contextOf(traceparent: string) {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-');
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
}
