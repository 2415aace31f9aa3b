import { QueryClient } from '@tanstack/react-query';
import { Problem } from './problem';

const RETRIES = 3;

/** Whether asking again can help: the service was away or busy, not that it refused. */
function mayRetry(failures: number, error: unknown): boolean {
  const passing =
    error instanceof Problem && (error.status === 0 || error.status === 503 || error.status === 429);
  return passing && failures < RETRIES;
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The live connection invalidates what changed; without it, a screen that is opened again asks again.
        staleTime: 30_000,
        retry: mayRetry,
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
