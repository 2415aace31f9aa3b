import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { Halt } from '../../api/types';
import { announce } from '../../parts/toasts';

/** Whether all agents are stopped, and why. */
export const haltQuery = queryOptions({
  queryKey: keys.halt,
  queryFn: () => bodyOf(api.GET('/api/agents/halt')),
});

/** Stops all agents, or lets them go on. */
export function useSetHalt(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: Halt) => bodyOf(api.PUT('/api/agents/halt', { body })),
    onSuccess: (halt) => {
      client.setQueryData(keys.halt, halt);
      announce(halt.halted ? 'All agents are halted' : 'Agents go on');
      onDone();
    },
  });
}
