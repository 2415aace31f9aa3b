import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import type { Role, User } from '../../../api/types';
import { announce, announceRefusal } from '../../../parts/toasts';

export interface NewUser {
  email: string;
  name: string;
  role: Role;
  password: string;
}

/** Creates a user; without a password they use keys only. */
export function useCreateUser(onCreated: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ password, ...user }: NewUser) =>
      bodyOf(api.POST('/api/users', { body: { ...user, ...(password === '' ? {} : { password }) } })),
    onSuccess: async ({ name }) => {
      announce(`${name} is created`);
      onCreated();
      await client.invalidateQueries({ queryKey: keys.users });
    },
  });
}

/** Changes a user's role, or disables and enables them. */
export function useChangeUser({ id: userId, name }: User) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: { role: Role } | { disabled: boolean }) =>
      bodyOf(api.PUT('/api/users/{userId}', { params: { path: { userId } }, body })),
    onSuccess: (_, change) => announce(`${name} is ${done(change)}`),
    onError: (error) => announceRefusal(`${name} was not changed`, error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.users }),
  });
}

function done(change: { role: Role } | { disabled: boolean }): string {
  if ('role' in change) return `now ${change.role}`;
  return change.disabled ? 'disabled' : 'enabled';
}
