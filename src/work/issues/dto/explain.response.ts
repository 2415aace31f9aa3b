import { ApiProperty } from '@nestjs/swagger';
import { explanations, type Reason } from '../explain/explanations.js';
import type { IssueFacts } from '../explain/issue-facts.js';
import { statuses, type Status } from '../issue-status.js';
import { AssigneeResponse } from './issue.response.js';

/** An unresolved issue that this one waits for. */
export class BlockerResponse {
  id!: string;
  /** @example "DOCS-11" */
  key!: string;
  /** @example "Collect the merged work" */
  title!: string;
  @ApiProperty({ enum: statuses, enumName: 'Status' })
  status!: Status;
}

/** An unresolved issue that waits for nothing itself. */
export class RootBlockerResponse extends BlockerResponse {
  @ApiProperty({ type: AssigneeResponse, nullable: true })
  assignee!: AssigneeResponse | null;
}

/** Why an issue is not being worked on. */
export class ExplainResponse {
  /** An agent works on it now. */
  running!: boolean;
  @ApiProperty({
    enum: explanations.map(({ reason }) => reason),
    enumName: 'ExplainReason',
    example: 'agent_silent',
  })
  reason!: Reason;
  @ApiProperty({ type: [BlockerResponse], description: 'What it waits for directly.' })
  blockedBy!: BlockerResponse[];
  @ApiProperty({
    type: [RootBlockerResponse],
    description: 'What holds all of that up in the end, and can be worked on now.',
  })
  rootBlockers!: RootBlockerResponse[];
  @ApiProperty({
    type: AssigneeResponse,
    nullable: true,
    description: 'Who must act; null: whoever may, or nobody.',
  })
  waitsFor!: AssigneeResponse | null;
  /**
   * What happens next, or what someone has to do for it.
   * @example "Release notes writer has sent no heartbeat since 2026-11-21T09:30:00.000Z. See whether it runs; it picks the issue up with its next one."
   */
  next!: string;

  static from(facts: IssueFacts): ExplainResponse {
    const { reason, waitsFor, next } = explanations.find(({ fits }) => fits(facts))!;
    const { blockedBy, rootBlockers } = facts;
    const running = reason === 'running';
    return { running, reason, blockedBy, rootBlockers, waitsFor: waitsFor(facts), next: next(facts) };
  }
}
