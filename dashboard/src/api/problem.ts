import type { ProblemDetails } from './types';

/** The errors of a refused form: those of its fields beside them, the rest as a whole. */
export function fieldErrors(error: unknown, fields: readonly string[]) {
  const errors = error === null || error === undefined ? [] : asProblem(error).errors;
  const at = (field: string): string | undefined => errors.find(({ path }) => path === field)?.message;
  const refused = error !== null && error !== undefined;
  return { at, elsewhere: refused && !fields.some((field) => at(field) !== undefined) };
}

/** A refusal of the service (RFC 9457), or a request that never reached it (`code` is then `offline`). */
export class Problem extends Error {
  override readonly name = 'Problem';

  constructor(
    readonly status: number,
    readonly code: string,
    /** The service's own sentence; shown to people as it came. */
    readonly detail: string,
    readonly requestId: string | null = null,
    /** Seconds after which a retry makes sense; null when the service did not say. */
    readonly retryAfter: number | null = null,
    readonly errors: readonly { path: string; message: string }[] = [],
    /** Members that belong to one code only, such as `dependents` of `open_dependents`. */
    readonly members: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
  }
}

/** Reads the problem details of a response that is not a success. */
export async function problemOf(response: Response): Promise<Problem> {
  const body = (await response.json().catch(() => ({}))) as Partial<ProblemDetails> & Record<string, unknown>;
  const retryAfter = Number(response.headers.get('retry-after'));
  return new Problem(
    response.status,
    body.code ?? 'unknown',
    body.detail ?? `The service answered ${response.status} without a reason.`,
    body.requestId ?? response.headers.get('x-request-id'),
    retryAfter > 0 ? retryAfter : null,
    (body.errors ?? []) as { path: string; message: string }[],
    body,
  );
}

/** The problem of a request that got no response: no connection, or the service is restarting. */
export function offlineProblem(): Problem {
  return new Problem(
    0,
    'offline',
    'The service cannot be reached. Check your connection; the page tries again.',
  );
}

/** Whether asking again can help: the service was away or busy, not that it refused. */
export function isPassing(error: unknown): error is Problem {
  return (
    error instanceof Problem && (error.code === 'offline' || [0, 429, 502, 503, 504].includes(error.status))
  );
}

/** After which a screen that could not be read is read again by itself. */
export const AGAIN_MS = 5_000;

/**
 * When a query is read again by itself: at this interval, and sooner after a failure that may pass. An outage ends without
 * an event, so what is read at no interval, or at a long one, would show for that long that the service is away.
 */
export const every =
  (ms: number | false) =>
  ({ state }: { state: { error: Error | null } }): number | false =>
    isPassing(state.error) ? Math.min(AGAIN_MS, ms || AGAIN_MS) : ms;

/** Returns any error as a problem, so that every screen shows errors in one form. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new Problem(0, 'page_error', error instanceof Error ? error.message : String(error));
}
