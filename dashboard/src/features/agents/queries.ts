import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { api, bodyOf, pageOf } from '../../api/client';
import { keys } from '../../api/keys';
import { agentsQuery, HEARTBEAT_REFRESH_MS } from '../../api/lists';
import { every } from '../../api/problem';
import type { Agent, FleetAgent } from '../../api/types';
import type { IconName } from '../../parts/icon';
import type { Tone } from '../../parts/status';
import { shortTime } from '../../parts/time';

interface AgentState {
  word: string;
  tone: Tone;
  icon: IconName;
  /** Why, and what follows from it; a whole sentence. */
  reason: string;
}

/** The word for each reason of the service, which alone knows how an agent is. */
export const agentLooks: Record<Agent['why']['reason'], Omit<AgentState, 'reason'>> = {
  agent_disabled: { word: 'Disabled', tone: 'disabled', icon: 'disabled' },
  halted: { word: 'Halted', tone: 'danger', icon: 'pause' },
  budget: { word: 'Out of budget', tone: 'danger', icon: 'error' },
  agent_failing: { word: 'Failing', tone: 'danger', icon: 'error' },
  agent_never_seen: { word: 'Never connected', tone: 'waiting', icon: 'clock' },
  agent_silent: { word: 'Silent', tone: 'waiting', icon: 'clock' },
  agent_full: { word: 'Full', tone: 'progress', icon: 'progress' },
  running: { word: 'Working', tone: 'progress', icon: 'progress' },
  ready: { word: 'Idle', tone: 'enabled', icon: 'enabled' },
};

/** How an agent is, with its reason; of one that fails, also since when, in the reader's time zone. */
export function agentState({
  why: { reason, sentence },
  failing,
}: Pick<Agent | FleetAgent, 'why' | 'failing'>): AgentState {
  const since =
    reason === 'agent_failing' && failing ? ` It has failed since ${shortTime(failing.since)}.` : '';
  return { ...agentLooks[reason], reason: sentence + since };
}

/** An agent out of the list of all; null when it is retired or never was. */
export function useAgent(agentId: string): Agent | null {
  const agents = useSuspenseQuery({ ...agentsQuery, refetchInterval: every(HEARTBEAT_REFRESH_MS) });
  return agents.data.find(({ id }) => id === agentId) ?? null;
}

const SHOWN = 100;

/** The unfinished issues of an agent, most urgent first: what it works on, and what comes next. */
export const assignedIssuesQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...keys.issueLists, 'agent', agentId],
    queryFn: () =>
      pageOf(
        api.GET('/api/projects/issues', {
          params: {
            query: {
              assigneeId: agentId,
              status: 'InProgress,Open,WaitingOnDependency,PendingReview',
              sort: '-priority',
              fields: 'summary,why',
              limit: SHOWN,
              count: true,
            },
          },
        }),
      ),
  });

/** The last line of output is no event, so what shows it asks again at this interval while it is visible. */
const FLEET_REFRESH_MS = 15_000;

/** The beginning of this day where the person is. */
const startOfToday = (): string => new Date(new Date().setHours(0, 0, 0, 0)).toISOString();

/** What every agent does now, and what it has done today where the person is. */
export const fleetQuery = (since = startOfToday()) =>
  queryOptions({
    queryKey: [...keys.agents, 'fleet', since],
    queryFn: () => bodyOf(api.GET('/api/fleet', { params: { query: { since } } })),
    refetchInterval: every(FLEET_REFRESH_MS),
  });

/** What an agent has done today where the person is. */
export const todayQuery = (agentId: string, since = startOfToday()) =>
  queryOptions({
    queryKey: [...keys.agents, 'today', agentId, since],
    queryFn: () =>
      bodyOf(api.GET('/api/agents/{agentId}/today', { params: { path: { agentId }, query: { since } } })),
    refetchInterval: every(FLEET_REFRESH_MS),
  });

/** Every tool of every server, and why the agent has it or not; Admins only. */
export const agentToolsQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...keys.access, 'tools', agentId],
    queryFn: async () =>
      (await bodyOf(api.GET('/api/agents/{agentId}/tools', { params: { path: { agentId } } }))) ?? [],
  });

/** What an agent is granted of each server; Admins only. */
export const agentAccessQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...keys.access, 'agent', agentId],
    queryFn: async () =>
      (await bodyOf(api.GET('/api/agents/{agentId}/access', { params: { path: { agentId } } }))) ?? [],
  });

/** An agent's keys without their secrets, oldest first; Admins only. */
export const agentKeysQuery = (agentId: string) =>
  queryOptions({
    queryKey: [...keys.apiKeys, 'agent', agentId],
    queryFn: async () =>
      (await pageOf(api.GET('/api/agents/{agentId}/keys', { params: { path: { agentId } } }))).rows,
  });
