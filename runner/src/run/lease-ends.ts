import { Refused, type LeaseEnd, type WorkerApi } from 'agent-work-platform-client/worker';
import type { AgentSetup } from './agent-setup.js';
import { allStates, writeState, type RunState } from './run-state.js';

/**
 * Sends the end of a lease until the service answers. A finish after a pause or a blocker is kept for a person. Returns how the state
 * of the run changes, and what went wrong.
 * @throws {Refused} when the key is not good any more: the end is sent again with the next one
 */
export async function deliverEnd(
  service: WorkerApi,
  issueId: string,
  end: LeaseEnd,
  signal?: AbortSignal,
): Promise<{ change: Partial<RunState>; problem?: string }> {
  try {
    await service.end(issueId, end, signal);
    return { change: { status: 'ended', end: null, reports: [] } };
  } catch (error) {
    if (!(error instanceof Refused) || error.status === 401) throw error;
    const { problem, message, code = 'not reported' } = error;
    if (problem?.['reason'] === 'waiting' && (await hasSplit(service, issueId)))
      return { change: { status: 'parked', reason: 'waiting', end: null } };
    const wasHeld = ['paused', 'waiting', 'budget'].includes(String(problem?.['reason']));
    if (wasHeld && end.route === 'finish' && end.body.status === 'Resolved')
      return deliverEnd(service, issueId, { ...end, body: { ...end.body, status: 'PendingReview' } }, signal);
    const change = { status: 'parked' as const, reason: code, end: null };
    return { change, problem: `The end was not accepted: ${message}` };
  }
}

/**
 * Whether the issue waits for sub-issues of the agent's own. Then its turn was no end of the work: the agent gets the issue back
 * when they are done, and a person has nothing to review.
 */
async function hasSplit(service: WorkerApi, issueId: string): Promise<boolean> {
  const children = await service.children(issueId);
  const open = children.filter(({ status }) => status !== 'Resolved' && status !== 'Closed');
  if (open.length === 0) return false;
  const { id } = await service.me();
  return open.some(({ createdBy }) => createdBy.id === id);
}

/**
 * Sends the ends that an earlier runner did not get rid of, so that none of that work is done again. It comes before the
 * first heartbeat, whose take-over gives the leases new tokens.
 */
export async function deliverLeftEnds(
  { service, root, name }: AgentSetup,
  signal: AbortSignal,
): Promise<void> {
  for (const state of allStates(root, [name])) {
    if (state.end === null) continue;
    const { change } = await deliverEnd(service, state.issueId, state.end, signal);
    writeState(root, { ...state, ...change, updatedAt: new Date().toISOString() });
  }
}
