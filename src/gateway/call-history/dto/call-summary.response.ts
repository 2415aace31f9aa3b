import { ApiProperty } from '@nestjs/swagger';
import { callOutcomes, type CallOutcome } from '../../../mcp/installed-servers/tools/call-outcome.js';
import type { CallSummary } from '../call-summary.repository.js';
import { CallPartyResponse } from './call.response.js';

/** The calls of one tool. */
export class ToolSummaryResponse {
  server!: CallPartyResponse;
  /** @example echo */
  toolName!: string;
  @ApiProperty({ type: 'integer', example: 40 })
  calls!: number;
  @ApiProperty({ type: 'integer', description: 'Calls with another outcome than ok.', example: 1 })
  failed!: number;
  @ApiProperty({ type: 'integer', example: 12 })
  medianMs!: number;
  @ApiProperty({ type: 'integer', example: 80 })
  p95Ms!: number;
}

/** The tool calls of a window. */
export class CallSummaryResponse {
  from!: Date;
  to!: Date;
  @ApiProperty({ type: 'integer', example: 40 })
  calls!: number;
  @ApiProperty({
    type: 'object',
    properties: Object.fromEntries(callOutcomes.map((outcome) => [outcome, { type: 'integer' }])),
    required: [...callOutcomes],
    selfRequired: true,
    description: 'The number of calls by outcome.',
  })
  outcomes!: Record<CallOutcome, number>;
  @ApiProperty({
    type: [ToolSummaryResponse],
    description: 'The 100 tools with the most calls, most calls first.',
  })
  tools!: ToolSummaryResponse[];

  static from({ calls, outcomes, tools }: CallSummary, from: Date, to: Date): CallSummaryResponse {
    const all = Object.fromEntries(callOutcomes.map((outcome) => [outcome, outcomes[outcome] ?? 0]));
    return { from, to, calls, outcomes: all as Record<CallOutcome, number>, tools };
  }
}
