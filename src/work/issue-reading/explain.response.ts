import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../platform/http/pick.js';
import { type GateKind, gateKinds, type Status, statuses } from '../issue-status/issue-status.js';
import { explanations, type Reason } from './explanations.js';
import type { IssueFacts } from './issue-facts.js';
import { AssigneeResponse } from './issue.response.js';

/** An unresolved issue that blocks this one. */
export class BlockerResponse {
  id!: string;
  /** @example "DOCS-2" */
  key!: string;
  /** @example "Collect the merged work" */
  title!: string;
  @ApiProperty({ enum: statuses, enumName: 'Status' })
  status!: Status;
}

/** An unresolved issue that is not itself blocked. */
export class RootBlockerResponse extends BlockerResponse {
  @ApiProperty({ type: AssigneeResponse, nullable: true })
  assignee!: AssigneeResponse | null;
}

/** A decision or answer of a person that an issue waits for. */
export class OpenGateResponse {
  id!: string;
  @ApiProperty({ enum: gateKinds, enumName: 'GateKind' })
  kind!: GateKind;
  /** @example "Which quarter should the report cover?" */
  title!: string;
}

/** Why no agent works on an issue. */
export class ExplainResponse {
  /** Whether an agent works on the issue now. */
  running!: boolean;
  @ApiProperty({
    enum: explanations.map(({ reason }) => reason),
    enumName: 'ExplainReason',
    example: 'agent_silent',
  })
  reason!: Reason;
  @ApiProperty({ type: [OpenGateResponse], description: 'The decisions and answers that it waits for.' })
  gates!: OpenGateResponse[];
  @ApiProperty({ type: [BlockerResponse], description: 'The issues that block it directly.' })
  blockedBy!: BlockerResponse[];
  @ApiProperty({
    type: [RootBlockerResponse],
    description: 'The issues at the ends of all chains of blockers, which can be worked on now.',
  })
  rootBlockers!: RootBlockerResponse[];
  @ApiProperty({
    type: AssigneeResponse,
    nullable: true,
    description: 'Who must act; null when anyone may, or no one needs to.',
  })
  waitsFor!: AssigneeResponse | null;
  /**
   * What happens next, or what a person has to do for it.
   * @example "Release notes writer has sent no heartbeat since 2026-11-21T09:30:00.000Z. Check that it runs; it picks the issue up with its next one."
   */
  next!: string;

  static from(facts: IssueFacts): ExplainResponse {
    const { reason, waitsFor, next } = explanations.find(({ fits }) => fits(facts))!;
    const { gates, blockedBy } = facts;
    const rootBlockers = facts.rootBlockers.map((root) =>
      pick(root, 'id', 'key', 'title', 'status', 'assignee'),
    );
    const running = reason === 'running';
    return { running, reason, gates, blockedBy, rootBlockers, waitsFor: waitsFor(facts), next: next(facts) };
  }
}
