import createClient from 'openapi-fetch';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;

export function apiAt(url, key, options = {}) {
  const baseUrl = url.replace(/\/+$/, '');
  return createClient({ baseUrl, headers: { authorization: `Bearer ${key}` }, ...options });
}

export class Refused extends Error {
  constructor(response, problem) {
    super(`${new URL(response.url).pathname} returned ${response.status}: ${problem?.detail ?? 'no detail'}`);
    this.name = 'Refused';
    this.status = response.status;
    this.code = problem?.code;
    this.problem = problem;
    this.retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined;
  }
}

export async function dataOf(answer) {
  const { data, error, response } = await answer;
  if (!response.ok) throw new Refused(response, error);
  if (data === undefined || data === null || data === '') throw new Refused(response, undefined);
  return data;
}

export async function untilAnswered(request, signal, onRetry) {
  const headers = { 'Idempotency-Key': crypto.randomUUID() };
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await dataOf(request({ headers, signal }));
    } catch (error) {
      if (signal?.aborted || !mayPass(error)) throw error;
      onRetry?.(error);
      await pause(pauseAfter(attempt, error), signal);
    }
  }
}

export function mayPass(error) {
  return !(error instanceof Refused) || error.status === 429 || error.status >= 500;
}

export function pauseAfter(attempt, error) {
  const asked = error instanceof Refused ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  const longest = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempt, 10));
  return Math.max(asked, longest * (0.5 + Math.random() / 2));
}

function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => (clearTimeout(timer), reject(signal.reason)), { once: true });
  });
}
