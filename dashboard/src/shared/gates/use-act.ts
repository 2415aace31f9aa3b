import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { keys } from '../../api/keys';
import type { AttentionAction } from '../../api/types';
import { announce, announceRefusal } from '../../parts/toasts';

type Call = (path: string, init: { body?: unknown }) => Promise<unknown>;

/** Sends a call that the service offered, unchanged. */
export function useAct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: AttentionAction) =>
      (api[method] as unknown as Call)(path, body === null ? {} : { body }),
    onSuccess: (_, { label }) => announce(`Done: ${label}`),
    onError: (error, { label }) => announceRefusal(`Not done: ${label}`, error),
    onSettled: () =>
      Promise.all(
        [keys.attention, keys.issues, keys.agents].map((queryKey) => client.invalidateQueries({ queryKey })),
      ),
  });
}
