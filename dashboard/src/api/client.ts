import { QueryClient } from '@tanstack/react-query';
import createClient from 'openapi-fetch';
import { asProblem, every, isPassing, offlineProblem, Problem, problemOf } from './problem';
import type { paths } from './types';

const RETRIES = 3;

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The live connection invalidates what changed; without it, a screen that is opened again asks again.
        staleTime: 30_000,
        retry: (failures, error) => failures < RETRIES && isPassing(error),
        refetchInterval: every(false),
        retryDelay: (attempt, error) =>
          error instanceof Problem && error.retryAfter !== null
            ? error.retryAfter * 1000
            : 500 * 2 ** attempt,
        refetchOnWindowFocus: false,
      },
      mutations: { retry: false },
    },
  });
}

/** Called when the response to any request says that the user is not signed in. */
let onSignedOut: () => void = () => undefined;

export function whenSignedOut(handler: () => void): void {
  onSignedOut = handler;
}

/** Sends a request. Without a response it throws a {@link Problem}; a request that was aborted stays one. */
export const send = (request: Request): Promise<Response> =>
  fetch(request).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw offlineProblem();
  });

/** The typed client of the service on the same origin; the session cookie says who calls. Throws {@link Problem}. */
export const api = createClient<paths>({
  baseUrl: '/',
  querySerializer: { array: { style: 'form', explode: false } },
  fetch: send,
});

api.use({
  async onResponse({ response, schemaPath }) {
    if (response.ok) return;
    if (response.status === 401 && schemaPath !== '/api/auth/login' && schemaPath !== '/api/auth/me')
      onSignedOut();
    throw await problemOf(response);
  },
});

/** Unwraps the body of a response; errors have been thrown before. */
export async function bodyOf<Body>(call: Promise<{ data?: Body }>): Promise<Body> {
  return (await call).data as Body;
}

/** Refusals of a key that the service returns again for 24 hours, whatever has changed since (contract §1.7). */
const STORED_REFUSALS = [404, 409, 412];
const isStored = ({ status, code }: Problem): boolean =>
  STORED_REFUSALS.includes(status) && code !== 'idempotency_key_in_use';

/**
 * Gives the requests of a form their idempotency key. The same content sent again, because no answer came, is done once;
 * sent again after it was refused, it is decided anew.
 */
export function makeKeyed() {
  let last = { content: '', key: '' };
  return async <Answer>(content: string, act: (key: string) => Promise<Answer>): Promise<Answer> => {
    if (last.content !== content) last = { content, key: crypto.randomUUID() };
    try {
      return await act(last.key);
    } catch (error) {
      if (isStored(asProblem(error))) last = { content: '', key: '' };
      throw error;
    }
  };
}

/** A page of a list with its total where `count=true` asked for it, and the cursor of the next page. */
export interface Page<Row> {
  rows: Row[];
  /** Counts stop at 10,000; null where it was not asked for. */
  total: number | null;
  nextCursor: string | null;
}

/** Unwraps a page: rows from the body, total and cursor from `X-Total-Count` and `Link`. */
export async function pageOf<Row>(call: Promise<{ data?: Row[]; response: Response }>): Promise<Page<Row>> {
  const { data, response } = await call;
  const total = response.headers.get('x-total-count');
  return {
    rows: data ?? [],
    total: total === null ? null : Number.parseInt(total, 10),
    nextCursor: nextCursorIn(response),
  };
}

/** Returns the cursor of the next page, which `Link` names, or null on the last one. */
export function nextCursorIn(response: Response): string | null {
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return next === undefined ? null : new URL(next, location.origin).searchParams.get('cursor');
}
