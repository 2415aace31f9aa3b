import { useSuspenseQuery } from '@tanstack/react-query';
import { agentsQuery, HEARTBEAT_REFRESH_MS } from '../../api/lists';
import type { Agent } from '../../api/types';

/** An agent out of the list of all; null when it is retired or never was. */
export function useAgent(agentId: string): Agent | null {
  const agents = useSuspenseQuery({ ...agentsQuery, refetchInterval: HEARTBEAT_REFRESH_MS });
  return agents.data.find(({ id }) => id === agentId) ?? null;
}
