import type { Agent } from '../../api/types';
import type { IconName } from '../../parts/icon';
import type { Tone } from '../../parts/status';
import { duration, shortTime } from '../../parts/time';

/** The service's default lease. A live worker sends a heartbeat before its lease runs out. */
const SILENT_AFTER_MS = 180_000;

export interface AgentState {
  word: string;
  tone: Tone;
  icon: IconName;
  /** Why, and what follows from it; a whole sentence. */
  reason: string;
}

type Facts = Pick<Agent, 'disabled' | 'failing' | 'lastHeartbeatAt' | 'activeIssues' | 'maxConcurrentIssues'>;

/** How an agent is, with its reason. A halt of all agents is a state of the service and said by its banner. */
export function agentState(agent: Facts, now = Date.now()): AgentState {
  const { disabled, failing, lastHeartbeatAt } = agent;
  if (disabled)
    return {
      word: 'Disabled',
      tone: 'disabled',
      icon: 'disabled',
      reason: 'It is given neither work nor tools until an Admin enables it.',
    };
  if (failing)
    return {
      word: 'Failing',
      tone: 'danger',
      icon: 'error',
      reason: `It has taken no new work since ${shortTime(failing.since)}: ${asSentence(failing.reason)} Correct that, then start its worker ${failing.worker} again.`,
    };
  if (lastHeartbeatAt === null)
    return {
      word: 'Never connected',
      tone: 'waiting',
      icon: 'clock',
      reason: 'It has not sent a heartbeat yet. Connect shows how it does.',
    };
  const silence = now - Date.parse(lastHeartbeatAt);
  if (silence > SILENT_AFTER_MS)
    return {
      word: 'Silent',
      tone: 'waiting',
      icon: 'clock',
      reason: `No heartbeat for ${duration(silence)}. See whether it runs.`,
    };
  return stateAtWork(agent);
}

function stateAtWork({ activeIssues, maxConcurrentIssues }: Facts): AgentState {
  if (activeIssues >= maxConcurrentIssues)
    return {
      word: 'Full',
      tone: 'progress',
      icon: 'progress',
      reason: `It works on ${activeIssues} of ${maxConcurrentIssues}; more is handed out when one is finished.`,
    };
  if (activeIssues > 0)
    return {
      word: 'Working',
      tone: 'progress',
      icon: 'progress',
      reason: 'It takes more work on its next heartbeat.',
    };
  return {
    word: 'Idle',
    tone: 'enabled',
    icon: 'enabled',
    reason: 'It takes work on its next heartbeat.',
  };
}

/** Workers send their reason with or without a full stop. */
const asSentence = (reason: string): string => (/[.!?]$/.test(reason) ? reason : `${reason}.`);
