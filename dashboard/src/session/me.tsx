import { queryOptions, useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, bodyOf } from '../api/client';
import { keys } from '../api/keys';
import { Problem } from '../api/problem';
import type { Me, Role } from '../api/types';
import { announceRefusal } from '../parts/toasts';
import { Notice } from '../parts/notice';

const ladder: readonly Role[] = ['Viewer', 'Editor', 'Admin', 'Owner'];

/** Whether someone has a role or one above it. The service decides; this only hides what it would refuse. */
export function hasRole(me: Me, least: Role): boolean {
  return me.role !== undefined && ladder.indexOf(me.role) >= ladder.indexOf(least);
}

/** The roles that someone may give: their own and those below it, the narrowest first. */
export function rolesUpTo(me: Me): readonly Role[] {
  return ladder.filter((role) => hasRole(me, role));
}

/** The user who is signed in, or null. */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: async (): Promise<Me | null> => {
    try {
      return (await bodyOf(api.GET('/api/auth/me'))) ?? null;
    } catch (error) {
      if (error instanceof Problem && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: Infinity,
});

/** The signed-in person, on every screen behind the sign-in. */
export function useMe(): Me {
  const { data } = useSuspenseQuery(meQuery);
  if (data === null) throw new Error('This screen is reached only after sign-in.');
  return data;
}

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

interface NeedsRoleProps {
  role: Role;
  /** What the screen would show or do, after "You cannot": "see what happened". */
  to: string;
  children: ReactNode;
}

/** Shows its content to those whose role suffices, and to everyone else which role is needed, without a request. */
export function NeedsRole({ role, to, children }: NeedsRoleProps) {
  const me = useMe();
  if (hasRole(me, role)) return children;
  return (
    <Notice title={`You cannot ${to}`}>
      <p>
        This needs the role {role} or above. You are {me.role ?? 'signed in as an agent'}.
      </p>
    </Notice>
  );
}
