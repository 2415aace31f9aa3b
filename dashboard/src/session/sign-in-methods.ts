import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client';

/** How people sign in here. */
export const signInMethodsQuery = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: () => bodyOf(api.GET('/api/auth/methods')),
  staleTime: 60_000,
});

/** The address that begins a sign-in at the provider and leads back to a page of this dashboard. */
export function providerUrl(url: string, query: { returnTo: string; confirm?: 'true' }): string {
  return `${url}?${new URLSearchParams(query).toString()}`;
}
