import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { api } from '../api/client';
import { announceRefusal } from '../parts/toasts';

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
