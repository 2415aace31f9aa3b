import { Injectable } from '@nestjs/common';
import { actorOf, type Principal } from '../../platform/authentication/principals-and-roles.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { codePointsIn } from '../../platform/http/text-rules.js';
import type { LockedIssue } from '../issue-status/issue-row.js';
import type { SeenIssue } from '../issue-status/issue.repository.js';
import { requireAssigned } from '../issue-status/issue-access.service.js';
import { LeaseCheckService } from '../leases/lease-check.service.js';
import { GateOpeningService } from './gate-opening.service.js';
import type { GateRow } from './gate.repository.js';
import type { AskQuestionRequest } from './gate.request.js';

/** The length of a title that is the beginning of a question. */
const TITLE = 200;

/** Asks people questions, for agents and people (contract §5.6). */
@Injectable()
export class QuestionsService {
  constructor(
    private readonly opening: GateOpeningService,
    private readonly leaseCheck: LeaseCheckService,
  ) {}

  /**
   * @param issue that the caller sees and may write in; null for a question that belongs to the agent
   * @param leaseToken where the agent names its lease
   * @throws {NotYours} for an agent on an issue of others: a question ends the work on it
   */
  ask(
    caller: Principal,
    issue: SeenIssue | null,
    request: AskQuestionRequest,
    leaseToken: number | null,
  ): Promise<GateRow> {
    const { question, options = [], recommended = null, expiresInSeconds } = request;
    if (recommended !== null && !options.includes(recommended))
      throw new ValidationFailed([{ path: 'recommended', message: 'must be one of the options' }]);
    const gate = {
      kind: 'question' as const,
      projectId: issue?.projectId ?? null,
      issueId: issue?.id ?? null,
      agentId: caller.type === 'agent' ? caller.id : null,
      ...titleOf(question),
      options,
      recommended,
      request: { question },
      expiresInSeconds,
      openedBy: actorOf(caller),
    };
    return this.opening.open(gate, (locked) =>
      refuseWorkOfOthers(this.leaseCheck, caller, locked, leaseToken),
    );
  }
}

/**
 * A gate that an agent opens ends the work on its issue.
 * @throws {NotYours} for an agent on an issue of others
 * @throws {LeaseLost} for the token of a lease that ended
 */
export async function refuseWorkOfOthers(
  leaseCheck: LeaseCheckService,
  caller: Principal,
  issue: LockedIssue,
  leaseToken: number | null,
): Promise<void> {
  if (caller.type === 'user') return;
  requireAssigned(caller.id, issue);
  if (leaseToken !== null) await leaseCheck.require(caller.id, issue, leaseToken);
}

/** A question that is longer than a title is the detail too. */
function titleOf(question: string): { title: string; detail: string | null } {
  const [line = ''] = question.trim().split('\n', 1);
  if (line === question && codePointsIn(line) <= TITLE) return { title: line, detail: null };
  const points = Array.from(line);
  const title = points.length > TITLE ? `${points.slice(0, TITLE - 1).join('')}…` : line;
  return { title: title === '' ? 'A question' : title, detail: question };
}
