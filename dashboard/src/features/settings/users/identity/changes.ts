import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../../../api/client';
import { keys } from '../../../../api/keys';
import type { User } from '../../../../api/types';
import { announce } from '../../../../parts/toasts';

const path = '/api/users/{userId}/identity';

/** Which person at the OpenID provider a user is; for Owners. */
export const identityQuery = (userId: string) =>
  queryOptions({
    queryKey: [...keys.users, 'identity', userId],
    queryFn: () => bodyOf(api.GET(path, { params: { path: { userId } } })),
  });

/** Joins a user with the person of a subject, which ends the sessions of the user. */
export function useJoin({ id: userId, name }: User) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (subject: string) =>
      bodyOf(api.PUT(path, { params: { path: { userId } }, body: { subject } })),
    onSuccess: async () => {
      announce(`${name} is joined`, 'Their sessions have ended; they sign in again.');
      await client.invalidateQueries({ queryKey: keys.users });
    },
  });
}

/** Separates a user from the person, which ends the sessions of the user. */
export function usePart({ id: userId, name }: User, done: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE(path, { params: { path: { userId } } }),
    onSuccess: async () => {
      announce(`${name} is separated`, 'Their sessions have ended.');
      done();
      await client.invalidateQueries({ queryKey: keys.users });
    },
  });
}
