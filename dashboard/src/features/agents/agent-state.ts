import type { Agent } from '../../api/types';
import { shortTime } from '../../parts/time';
import type { IconName } from '../../parts/icon';
import type { Tone } from '../../parts/status';

export interface AgentState {
  word: string;
  tone: Tone;
  icon: IconName;
  /** Why, and what follows from it; a whole sentence. */
  reason: string;
}

/** The word for each reason of the service, which alone knows how an agent is. */
const looks: Record<Agent['why']['reason'], Omit<AgentState, 'reason'>> = {
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
}: Pick<Agent, 'why' | 'failing'>): AgentState {
  const since =
    reason === 'agent_failing' && failing ? ` It has failed since ${shortTime(failing.since)}.` : '';
  return { ...looks[reason], reason: sentence + since };
}
