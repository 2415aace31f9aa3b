import { ApiProperty } from '@nestjs/swagger';
import { explanations, type Reason } from './explanations.js';
import type { Cause, Why } from './why.service.js';

export class CauseResponse {
  @ApiProperty({ enum: ['issue', 'gate', 'agent', 'user'] })
  type!: Cause['type'];
  id!: string;
  /**
   * The key of an issue, the title of a gate, the name of a person or agent.
   * @example DOCS-11
   */
  label!: string;
}

/** Why no agent works on an issue, or that one does. */
export class WhyResponse {
  @ApiProperty({
    enum: explanations.map(({ reason }) => reason),
    enumName: 'ExplainReason',
    example: 'waiting',
  })
  reason!: Reason;
  /** @example "It waits for DOCS-11; once they are Resolved or Closed, it becomes Open automatically." */
  sentence!: string;
  @ApiProperty({
    type: [CauseResponse],
    description: 'Who has to act, or what has to end: gates, then at most 5 issues.',
  })
  waitsFor!: CauseResponse[];

  static from({ reason, sentence, waitsFor }: Why): WhyResponse {
    return { reason, sentence, waitsFor };
  }
}
