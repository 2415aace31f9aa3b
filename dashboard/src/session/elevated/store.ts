import { useSyncExternalStore } from 'react';
import { api, bodyOf } from '../../api/client';

/** A key for the routes below /api/mcp, and when it ends. */
export interface ElevatedKey {
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
export function elevatedKey(): string | null {
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
