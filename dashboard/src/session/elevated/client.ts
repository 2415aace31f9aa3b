import type { QueryClient } from '@tanstack/react-query';
import createClient from 'openapi-fetch';
import { keys } from '../../api/keys';
import { offlineProblem, Problem, problemOf } from '../../api/problem';
import type { paths } from '../../api/types';
import { elevatedKey, forget } from './store';

/** Reads again what could not be read without the key of elevated mode. */
export function readAgain(client: QueryClient): Promise<unknown> {
  const roots = [keys.servers, keys.catalog, keys.access, keys.calls];
  return Promise.all(roots.map((queryKey) => client.invalidateQueries({ queryKey })));
}

type McpPaths = { [Path in keyof paths as Path extends `/api/mcp/${string}` ? Path : never]: paths[Path] };

/** The typed client of the routes below /api/mcp; the elevated key says who calls. Throws {@link Problem}. */
export const mcp = createClient<McpPaths>({
  baseUrl: '/',
  credentials: 'omit',
  fetch: (request) => {
    const key = elevatedKey();
    if (key === null) throw ended();
    request.headers.set('Authorization', `Bearer ${key}`);
    return fetch(request).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw offlineProblem();
    });
  },
});

mcp.use({
  async onResponse({ response }) {
    if (response.ok) return;
    // The key has ended on the service: the screen asks again, and the session stays.
    if (response.status === 401) forget();
    throw await problemOf(response);
  },
});

function ended(): Problem {
  return new Problem(
    401,
    'elevation_ended',
    'The time to manage servers has ended. Confirm with your password.',
  );
}
