import type { Run, StopReason } from '../../../api/types';
import { clockTime } from '../../../parts/time';

/** What the stop reasons of the service mean for a run. A worker may report one instead of a sentence of its own. */
const sentences: Record<StopReason, string> = {
  paused: 'The issue was paused. The work goes on from here when it is resumed.',
  waiting: 'It waits for an answer or for another issue, and goes on from here afterwards.',
  budget: 'The budget is used up. The work goes on from here when the budget is raised.',
  reassigned: 'The issue was given to another agent, or to a person, so the agent was stopped.',
  in_review: 'The issue went to review while the agent worked on it.',
  open: 'The issue was set to Open while the agent worked on it.',
  resolved: 'The issue was resolved while the agent worked on it.',
  closed: 'The issue was closed while the agent worked on it.',
  deleted: 'The agent cannot see the issue any more.',
  lease_lost: 'The worker was out of reach for longer than its lease, so the issue was handed out again.',
  taken_over: 'Another process of the worker took the issue over, so this one was stopped.',
  halted: 'All agents were halted.',
  disabled: 'The agent was disabled.',
};

const isReason = (word: string): word is StopReason => Object.hasOwn(sentences, word);

/** Why a run is over, or how it is now. */
export function endOf({ state, stopped, reportedAt }: Pick<Run, 'state' | 'stopped' | 'reportedAt'>): string {
  if (stopped !== null) return isReason(stopped) ? sentences[stopped] : stopped;
  if (state === 'lost') return 'Its lease ended without a report: the worker died, or lost its network.';
  return `Last report at ${clockTime(reportedAt)}.`;
}
