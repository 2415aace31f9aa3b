import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client';
import { keys } from '../api/keys';
import { Problem } from '../api/problem';
import type { Me, Role } from '../api/types';

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
