import type { QueryClient } from '@tanstack/react-query';
import createClient from 'openapi-fetch';
import { useSyncExternalStore } from 'react';
import { api, bodyOf, send } from '../../api/client';
import { keys } from '../../api/keys';
import { Problem, problemOf } from '../../api/problem';
import type { paths } from '../../api/types';

/** A key for the routes below /api/mcp, and when it ends. */
interface ElevatedKey {
  key: string;
  expiresAt: string;
}

/** The key lives in this variable and nowhere else: a reload, another tab or a stolen profile has none. */
let current: ElevatedKey | null = null;
let timer: ReturnType<typeof setTimeout> | null = null;
const listeners = new Set<() => void>();

function set(next: ElevatedKey | null): void {
  current = next;
  if (timer !== null) clearTimeout(timer);
  timer = next === null ? null : setTimeout(forget, Math.max(0, Date.parse(next.expiresAt) - Date.now()));
  for (const listener of listeners) listener();
}

/** Returns the key while it is valid. */
function elevatedKey(): string | null {
  return current !== null && Date.parse(current.expiresAt) > Date.now() ? current.key : null;
}

/** Drops the key on this page; the service ends it by itself. */
export function forget(): void {
  set(null);
}

/**
 * Asks the service for a key. Throws a Problem when the password is wrong, or when there is none and the person has not
 * just confirmed the session at the provider.
 */
export async function elevate(password?: string): Promise<void> {
  const body = password === undefined ? {} : { password };
  set(await bodyOf(api.POST('/api/auth/elevate', { body })));
}

/** Ends elevated mode here and on the service. */
export async function stop(): Promise<void> {
  set(null);
  await api.DELETE('/api/auth/elevate');
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** When elevated mode ends; null while it is off. */
export function useElevatedUntil(): string | null {
  return useSyncExternalStore(subscribe, () => current?.expiresAt ?? null);
}

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
    return send(request);
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
