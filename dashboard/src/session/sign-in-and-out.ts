import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api, bodyOf } from '../api/client';
import { announceRefusal } from '../parts/toasts';

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

/** Signs out: the session ends on the server, and nothing that was read stays in this browser's memory. */
export function useEndSession() {
  const client = useQueryClient();
  const router = useRouter();
  return useMutation({
    mutationFn: () => api.POST('/api/auth/logout'),
    onSuccess: async () => {
      await router.navigate({ to: '/login' });
      client.clear();
    },
    onError: (error) => announceRefusal('You are still signed in', error),
  });
}
