import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { actorOf, type Principal } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import { currentOrigin, SYSTEM } from '../../platform/journal/journal.service.js';
import { type CodeChange, CodeChangesService } from '../code/code-links.service.js';
import { type CodeRow, CodeRepository } from '../code/code.repository.js';
import type { SeenIssue } from '../issue-status/issue.repository.js';
import { LeaseCheckService } from '../leases/lease-token-checks-renewals-heartbeat-interval.service.js';
import { type Closing, GateClosingService } from './gate-closing.service.js';
import { GateOpeningService } from './gate-opening.service.js';
import { type ChecksReason, Gate } from './gate.entity.js';
import { GateRepository, type GateRow } from './gate.repository.js';
import type { OpenGateRequest, Until } from './gate.request.js';
import { refuseWorkOfOthers } from './questions-and-answer-rules.service.js';

/** What a gate of kind checks waits for. */
export interface AwaitedChecks {
  /** One branch, commit or pull request; null for all open pull requests of the issue. */
  codeId: string | null;
  until: Until;
}

/** What a decision needs of a branch, commit or pull request. */
type Judged = Pick<CodeRow, 'id' | 'kind' | 'state' | 'checks' | 'counts'>;

/**
 * Returns how the checks ended, or null while they go on. Without `codeId` only open pull requests are judged, so that an
 * older one that was closed ends no gate; once none is open, a merged one counts, and one that was closed just now.
 * @param ended the ids of those that were merged or closed by the change that is judged
 */
export function verdictOf(
  { codeId, until }: AwaitedChecks,
  code: readonly Judged[],
  ended: readonly string[],
): ChecksReason | null {
  if (codeId !== null) {
    const named = code.find(({ id }) => id === codeId);
    return named ? verdictOfOne(named, until) : null;
  }
  const pulls = code.filter(({ kind, counts }) => kind === 'pull_request' && counts);
  const open = pulls.filter(isOpen);
  if (open.some(({ checks }) => checks === 'failing')) return 'checks_failed';
  if (open.length > 0)
    return until === 'passing' && open.every(({ checks }) => checks === 'passing') ? 'checks_passed' : null;
  const endedNow = pulls.filter(({ id }) => ended.includes(id));
  const last = endedNow.length > 0 ? endedNow : pulls;
  if (last.some(({ state }) => state === 'merged')) return 'merged';
  return endedNow.length > 0 ? 'closed' : null;
}

function verdictOfOne({ kind, state, checks }: Judged, until: Until): ChecksReason | null {
  if (state === 'closed') return 'closed';
  if (state === 'merged' && kind === 'pull_request') return 'merged';
  if (checks === 'failing') return 'checks_failed';
  return checks === 'passing' && until === 'passing' ? 'checks_passed' : null;
}

function isOpen({ state }: Judged): boolean {
  return state === 'open' || state === 'draft';
}

/** Gates that wait for checks of pull requests instead of a person (contract §5.13). */
@Injectable()
export class ChecksGatesService implements OnModuleInit {
  constructor(
    @InjectRepository(Gate) private readonly gates: GateRepository,
    private readonly code: CodeRepository,
    private readonly changes: CodeChangesService,
    private readonly opening: GateOpeningService,
    private readonly closing: GateClosingService,
    private readonly leaseCheck: LeaseCheckService,
    private readonly transactions: TransactionsService,
  ) {}

  onModuleInit(): void {
    this.changes.whenChanged((change) => this.settle(change));
  }

  /**
   * Opens a gate of kind checks. Where the checks have ended already it is answered at once: the issue does not wait, and
   * its lease goes on.
   * @param issue that the caller sees and may write in
   * @throws {NotYours} for an agent on an issue of others
   */
  open(
    caller: Principal,
    issue: SeenIssue,
    { codeId, until = 'passing', expiresInSeconds }: OpenGateRequest,
    leaseToken: number | null,
  ): Promise<GateRow> {
    const awaited = { codeId: codeId ?? null, until };
    return this.transactions.run(async () => {
      const found: { reason: ChecksReason | null; code: CodeRow[] } = { reason: null, code: [] };
      const gate = await this.opening.open(
        {
          kind: 'checks',
          projectId: issue.projectId,
          issueId: issue.id,
          agentId: caller.type === 'agent' ? caller.id : null,
          title: titleOf(until),
          request: { ...awaited },
          onceKey: ['checks', issue.id, codeId ?? 'all', until].join(' '),
          expiresInSeconds,
          openedBy: actorOf(caller),
        },
        async (locked) => {
          await refuseWorkOfOthers(this.leaseCheck, caller, locked, leaseToken);
          found.code = await this.code.ofIssue(issue.id);
          refuseUnfit(awaited, found.code);
          found.reason = verdictOf(awaited, found.code, []);
          return { holds: found.reason === null };
        },
      );
      if (found.reason === null) return gate;
      await this.close(gate, found.reason, judged(awaited, found.code), true);
      return (await this.gates.read(gate.id))!;
    });
  }

  /** Ends the gates whose checks ended, under the lock of their issue. */
  private async settle({ issueId, ended, removed }: CodeChange): Promise<void> {
    const open = await this.gates.find({ where: { issueId, state: 'open', kind: 'checks' } });
    if (open.length === 0) return;
    const code = await this.code.ofIssue(issueId);
    for (const gate of open as unknown as (GateRow & { request: AwaitedChecks })[]) {
      const { codeId, until } = gate.request;
      const reason = verdictOf({ codeId, until }, code, ended);
      if (codeId !== null && codeId === removed)
        await this.closing.close(gate, { state: 'withdrawn', by: currentOrigin()?.actor ?? SYSTEM });
      else if (reason !== null) await this.close(gate, reason, judged({ codeId, until }, code), false);
    }
  }

  private close(
    gate: GateRow,
    reason: ChecksReason,
    code: CodeRow[],
    isDelivered: boolean,
  ): Promise<boolean> {
    const passed = reason === 'checks_passed' || reason === 'merged';
    const closing: Pick<Closing, 'state' | 'answer' | 'by' | 'ended'> = {
      state: 'answered',
      answer: { passed, reason },
      by: SYSTEM,
      ended: { outcome: passed ? 'passed' : 'failed', result: { reason, code: code.map(shown) } },
    };
    return this.closing.close(gate, closing, () => Promise.resolve({ isDelivered }));
  }
}

/** What an agent reads of the pull requests that a gate waited for. */
function shown({ id, kind, url, title, state, checks }: CodeRow): Record<string, unknown> {
  return { id, kind, url, title, state, checks };
}

function judged({ codeId }: AwaitedChecks, code: CodeRow[]): CodeRow[] {
  return code.filter(({ id, kind, counts }) =>
    codeId === null ? kind === 'pull_request' && counts : id === codeId,
  );
}

/** @throws {ValidationFailed} for code of another issue, and for what is never merged */
function refuseUnfit({ codeId, until }: AwaitedChecks, code: CodeRow[]): void {
  if (codeId === null) return;
  const named = code.find(({ id }) => id === codeId);
  if (!named)
    throw new ValidationFailed([
      { path: 'codeId', message: 'names no code of this issue; see its list of code' },
    ]);
  if (until === 'merged' && named.kind !== 'pull_request')
    throw new ValidationFailed([{ path: 'until', message: 'may be merged only for a pull request' }]);
}

function titleOf(until: Until): string {
  return until === 'merged' ? 'Its pull requests are merged' : 'The checks of its pull requests pass';
}
