import { Injectable } from '@nestjs/common';
import type { CallReason } from '../../mcp/server-tools/call-arguments-outcomes-reasons.js';
import { InjectRepository } from '@nestjs/typeorm';
import { ServerDescriptionsService } from '../../mcp/running/server-descriptions-and-package-locks.service.js';
import { actorOf } from '../../platform/authentication/principals-and-roles.js';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { SealBroken } from '../../platform/encryption/key-ring.js';
import { SecretRegister } from '../../platform/encryption/masking.js';
import { Problem } from '../../platform/http/problem.js';
import { visibleText } from '../../platform/http/visible-text.js';
import type { Actor } from '../../platform/journal/journal.service.js';
import { GateClosingService } from '../../work/gates/gate-closing.service.js';
import { GateOpeningService, type NewGate } from '../../work/gates/gate-opening.service.js';
import type { GateRow } from '../../work/gates/gate.repository.js';
import { GateHandlersService } from '../../work/gates/gates.service.js';
import { requireAssigned } from '../../work/issue-status/issue-access.service.js';
import type { GateKind, GateState } from '../../work/issue-status/issue-status.js';
import { type AskedCall, cancelKeyOf } from '../calls/exchange.js';
import { shownArguments } from '../calls/masked-arguments.js';
import { ToolApproval } from './tool-approval.entity.js';
import {
  type ApproverAndHints,
  type CallToApprove,
  type CallWait,
  ToolApprovalRepository,
} from './tool-approval.repository.js';

interface Gate {
  id: string;
  issueId: string | null;
  kind: GateKind;
}

/** The call waits for a person, for an approval or for the answer to a question of its server, and its caller does not any more. */
export class ApprovalPending extends Problem {
  constructor({ id, issueId, kind }: Gate) {
    const next =
      issueId === null
        ? 'go on with something else and read the result with platform__gate_result'
        : 'end your turn; you get the result when the issue comes back';
    const isQuestion = kind === 'question';
    const what = isQuestion ? 'answer a question of the server about this call' : 'approve this call';
    super(
      isQuestion ? 'question_pending' : 'approval_pending',
      `A person has to ${what} (gate ${id}): ${next}. Do not repeat the call.`,
      { members: { gateId: id } },
    );
  }
}

/** No person approved the call, or answered the question of its server: it was denied, or the gate ended without an answer. */
export class NotApproved extends Problem {
  constructor(
    { id: gateId, kind }: Pick<Gate, 'id' | 'kind'>,
    state: Exclude<GateState, 'open'>,
    note: string | null,
  ) {
    const [code, what] = kind === 'question' ? NOT_ANSWERED : NOT_APPROVED[state];
    const reason = note === null ? '' : ` The person says: ${note}`;
    super(code, `${what} Find another way, or ask with platform__ask_person.${reason}`, {
      members: { gateId, note },
    });
  }
}

const NOT_APPROVED = {
  answered: ['approval_denied', 'A person denied this call; it was not made.'],
  expired: ['approval_expired', 'No person approved this call in time; it was not made.'],
  withdrawn: ['approval_withdrawn', 'The request for an approval was withdrawn; the call was not made.'],
} as const;

const NOT_ANSWERED = [
  'question_unanswered',
  'No person answered the question that the server asked about this call; it was not finished.',
] as const;

/** The call was approved, and may not be made any more. */
export class ApprovalOutdated extends Problem {
  constructor(
    gateId: string,
    readonly reason: CallReason,
  ) {
    super(
      'approval_outdated',
      `This call was approved and not made, since its conditions have changed (${reason}). Read your tools again; where you still have the tool, call it again.`,
      { members: { gateId, reason } },
    );
  }
}

/** The arguments are more than a person can read. */
class ArgumentsTooLarge extends Problem {
  constructor(most: number) {
    super(
      'payload_too_large',
      `A person has to approve this call, and its arguments have more than ${most / 1024} KiB: send less at a time.`,
    );
  }
}

type Given = Readonly<Record<string, unknown>>;

/** The most bytes of arguments that a person is asked about. */
const MOST_BYTES = 262_144;

/** Seconds after the end of its wait at which a call is taken from the process that had its caller. */
const GRACE_SECONDS = 15;

const LONGEST_TITLE = 200;

/** Asks people for the approval of calls (contract §5.7). */
@Injectable()
export class ApprovalRequestsService {
  constructor(
    private readonly opening: GateOpeningService,
    private readonly closing: GateClosingService,
    private readonly handlers: GateHandlersService,
    @InjectRepository(ToolApproval) private readonly approvals: ToolApprovalRepository,
    private readonly descriptions: ServerDescriptionsService,
    private readonly secrets: SecretRegister,
    private readonly transactions: TransactionsService,
    private readonly settings: Settings,
  ) {}

  /** Returns the person who approved the tool for all calls of the agent on this issue. */
  async approverForIssue(call: AskedCall): Promise<Actor | null> {
    return call.calledFor === null ? null : this.approvals.approverFor(callOf(call));
  }

  /** Answers the gate of a call whose tool was approved for its issue, in the name of the person who did. */
  async approve(gate: GateRow, approver: Actor): Promise<void> {
    const answer = { decision: 'approve' as const, scope: 'once' as const, note: null };
    await this.closing.close(gate, { state: 'answered', answer, by: approver }, () =>
      this.handlers.effectsOf(gate, answer),
    );
  }

  /**
   * Opens the gate of a call. The same call, with the same arguments, has one open gate.
   * @returns `isNew` false where it waits for a decision already
   * @throws {ArgumentsTooLarge} {GateLimit} {InvalidTransition} {NotYours} {ApprovalOutdated}
   */
  async open(call: AskedCall): Promise<{ gate: GateRow; isNew: boolean }> {
    const given = call.args.value;
    if (Buffer.byteLength(JSON.stringify(given)) > MOST_BYTES) throw new ArgumentsTooLarge(MOST_BYTES);
    const toApprove = callOf(call);
    const tool = await this.approvals.approverAndHints(toApprove);
    if (!tool) throw new ApprovalOutdated('', 'not_granted');
    const shown = await this.shown(call, given);
    return this.transactions.run(async () => {
      const gate = await this.opening.open(gateOf(call, tool, shown), async (issue) =>
        requireAssigned(call.agent.id, issue),
      );
      const isNew = await this.approvals.add(gate.id, toApprove, this.waitOf(call));
      if (!isNew && (await this.approvals.lock(gate.id)) === null)
        throw new ApprovalOutdated(gate.id, 'not_granted');
      // It reads the result of the gate, so that gate and result are kept where the first caller goes.
      if (!isNew) await this.approvals.poll(gate.id);
      return { gate, isNew };
    });
  }

  /**
   * Opens the gate of a question that the server asks about a call.
   * @param exact what the call is finished with, sealed while it waits
   * @throws {ArgumentsTooLarge} {GateLimit} {InvalidTransition} {NotYours} {ApprovalOutdated}
   */
  openQuestion(call: AskedCall, gate: NewGate, exact: Given): Promise<GateRow> {
    if (Buffer.byteLength(JSON.stringify(exact)) > MOST_BYTES) throw new ArgumentsTooLarge(MOST_BYTES);
    return this.transactions.run(async () => {
      const opened = await this.opening.open({ ...gate, arguments: { shown: {}, exact } }, async (issue) =>
        requireAssigned(call.agent.id, issue),
      );
      if (!(await this.approvals.add(opened.id, callOf(call), this.waitOf({ ...call, task: undefined }))))
        throw new ApprovalOutdated(opened.id, 'not_granted');
      return opened;
    });
  }

  private waitOf({ task, request }: AskedCall): CallWait {
    const { approvalWaitSeconds: seconds } = this.settings;
    return task === 'now'
      ? { seconds, hasCaller: false, cancelKey: null }
      : {
          seconds: seconds + GRACE_SECONDS,
          hasCaller: true,
          cancelKey: request ? cancelKeyOf(request) : null,
        };
  }

  /** Masks no value of another server: the mask would confirm a guess to its reader. */
  private async shown({ server }: AskedCall, given: Given): Promise<Given> {
    try {
      // The register then knows the credentials of the server, also where no process of it was started here.
      await this.descriptions.instance(server.serverId, server.credentialSetId);
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
    }
    const { credentialSetId } = server;
    return shownArguments(given, (text) => this.secrets.maskOf(credentialSetId, text));
  }
}

function gateOf(
  { agent, server, tool, args, calledFor }: AskedCall,
  { annotations, description, approverRole }: ApproverAndHints,
  shown: Given,
) {
  const { serverId } = server;
  const [toolName, serverName] = [visibleText(tool), visibleText(server.serverName)];
  const title = Array.from(`${agent.name} asks to call ${toolName} of ${serverName}`);
  const { hash: argumentsHash, value: exact } = args;
  const issueId = calledFor?.projectId ? calledFor.issueId : null;
  return {
    kind: 'approval' as const,
    projectId: issueId && calledFor!.projectId,
    issueId,
    agentId: agent.id,
    title: title.length > LONGEST_TITLE ? `${title.slice(0, LONGEST_TITLE - 1).join('')}…` : title.join(''),
    detail: 'Read the arguments, then approve or deny the call.',
    request: { serverId, serverName, toolName, argumentsHash, annotations, description },
    arguments: { shown, exact },
    answerRole: issueId === null ? ('Admin' as const) : approverRole,
    holds: false,
    onceKey: `call ${agent.id} ${issueId ?? '-'} ${serverId} ${argumentsHash} ${tool}`,
    openedBy: actorOf(agent),
  };
}

function callOf({ agent, server, tool, calledFor }: AskedCall): CallToApprove {
  const issueId = calledFor?.projectId ? calledFor.issueId : null;
  return { agentId: agent.id, issueId, serverId: server.serverId, tool };
}
