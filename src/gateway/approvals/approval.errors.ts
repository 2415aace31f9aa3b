import { Problem } from '../../platform/http/problem.js';
import type { GateKind, GateState } from '../../work/issue-status/issue-status.js';

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
    readonly reason: string,
  ) {
    super(
      'approval_outdated',
      `This call was approved and not made, since its conditions have changed (${reason}). Read your tools again; where you still have the tool, call it again.`,
      { members: { gateId, reason } },
    );
  }
}

/** The arguments are more than a person can read. */
export class ArgumentsTooLarge extends Problem {
  constructor(most: number) {
    super(
      'payload_too_large',
      `A person has to approve this call, and its arguments have more than ${most / 1024} KiB: send less at a time.`,
    );
  }
}
