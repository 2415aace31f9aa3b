import type { AgentPrincipal } from '../../../platform/auth/principal.js';
import { IssueAnswerResponse } from '../../../work/gates/dto/issue-answer.response.js';
import { IssueResponse } from '../../../work/issues/dto/issue.response.js';
import { ActiveLeaseResponse } from '../../heartbeat/dto/heartbeat.response.js';
import type { HandedOut, Heartbeat } from '../../heartbeat/heartbeat.service.js';
import type { ActiveLease } from '../../heartbeat/named-issues.js';
import { fittingFirst, fittingLast, fittingText, RESULT_CHARACTERS, sizeOf } from './fitting.js';

/** So many issues fit a result, each with a beginning of its description. */
export const MOST_AT_ONCE = 20;

/**
 * Lays out a heartbeat in a result of at most `RESULT_CHARACTERS`. All leases are there, each with its token first; the
 * texts share what is left. An element whose texts are not all there has `more: true`.
 */
export function heartbeatResult(agent: AgentPrincipal, beat: Heartbeat): object {
  const { pickedUp, active, stop, nextHeartbeatSeconds } = beat;
  const bare = {
    pickedUp: pickedUp.map((one) => pickedUpItem(agent, one, 0)),
    active: active.map((one) => activeItem(one, 0)),
    stop,
    nextHeartbeatSeconds,
  };
  const share = Math.floor((RESULT_CHARACTERS - sizeOf(bare)) / Math.max(1, pickedUp.length + active.length));
  return {
    ...bare,
    pickedUp: pickedUp.map((one) => pickedUpItem(agent, one, share)),
    active: active.map((one) => activeItem(one, share)),
  };
}

function pickedUpItem(
  agent: AgentPrincipal,
  { issue, token, expiresAt, answers }: HandedOut,
  room: number,
): object {
  const { description, links, ...summary } = IssueResponse.from(issue, agent);
  const parts = {
    answers: fittingFirst(answers.map(IssueAnswerResponse.from), room / 4),
    links: fittingFirst(links, room / 4),
    description: fittingText(description, room / 2),
  };
  const isWhole =
    parts.answers.length === answers.length &&
    parts.links.length === links.length &&
    parts.description === description;
  return {
    key: issue.key,
    id: issue.id,
    lease: { token, expiresAt },
    more: !isWhole,
    issue: { ...summary, description: parts.description, links: parts.links },
    answers: parts.answers,
  };
}

function activeItem(lease: ActiveLease, room: number): object {
  const { newComments, answers, ...rest } = ActiveLeaseResponse.from(lease);
  const comments = fittingLast(newComments, room / 2);
  const shown = fittingFirst(answers, room / 2);
  const isWhole = comments.length === newComments.length && shown.length === answers.length;
  return { ...rest, more: !isWhole, newComments: comments, answers: shown };
}
