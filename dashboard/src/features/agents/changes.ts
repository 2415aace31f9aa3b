import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { Agent } from '../../api/types';
import { announce, announceRefusal } from '../../parts/toasts';

export interface AgentFields {
  name: string;
  description: string;
  maxConcurrentIssues: number;
}

export function useCreateAgent() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AgentFields) => bodyOf(api.POST('/api/agents', { body })),
    onSuccess: () => client.invalidateQueries({ queryKey: keys.agents }),
    // The response holds the agent's first key; it is forgotten with the dialog.
    gcTime: 0,
  });
}

/** Saves an agent's name, description and capacity; a refusal is shown in the form. */
export function useEditAgent({ id: agentId }: Agent) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: AgentFields) =>
      bodyOf(api.PUT('/api/agents/{agentId}', { params: { path: { agentId } }, body })),
    onSuccess: async ({ name }) => {
      announce(`${name} is saved`);
      await client.invalidateQueries({ queryKey: keys.agents });
    },
  });
}

/** Disables an agent, or enables it again. */
export function useSetDisabled({ id: agentId, name }: Agent) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (disabled: boolean) =>
      bodyOf(api.PUT('/api/agents/{agentId}', { params: { path: { agentId } }, body: { disabled } })),
    onSuccess: async (_, disabled) => {
      announce(disabled ? `${name} is disabled` : `${name} is enabled`);
      await client.invalidateQueries({ queryKey: keys.agents });
    },
    onError: (error) => announceRefusal(`${name} was not changed`, error),
  });
}

export function useRetireAgent({ id: agentId, name }: Agent, onRetired: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => api.DELETE('/api/agents/{agentId}', { params: { path: { agentId } } }),
    onSuccess: async () => {
      announce(`${name} is retired`);
      onRetired();
      await client.invalidateQueries({ queryKey: keys.agents });
    },
  });
}
