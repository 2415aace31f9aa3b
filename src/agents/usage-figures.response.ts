import { ApiProperty } from '@nestjs/swagger';
import type { RecentUsage, UsageFigures } from './usage-figures.js';

/** Sums of usage. Tokens and cost are as agents reported them; the rest is counted by the service. */
export class UsageFiguresResponse implements UsageFigures {
  @ApiProperty({ type: 'integer', example: 12_000 })
  inputTokens!: number;
  @ApiProperty({ type: 'integer', example: 800 })
  outputTokens!: number;
  @ApiProperty({ type: 'integer', example: 9_000 })
  cacheReadTokens!: number;
  @ApiProperty({ type: 'integer', example: 0 })
  cacheWriteTokens!: number;
  @ApiProperty({ type: 'integer', description: 'In millionths of a US dollar.', example: 41_000 })
  costMicros!: number;
  @ApiProperty({ type: 'integer', example: 4 })
  turns!: number;
  @ApiProperty({ type: 'integer', description: 'Turns without a report.', example: 0 })
  unreportedTurns!: number;
  @ApiProperty({ type: 'integer', example: 9 })
  toolCalls!: number;
  @ApiProperty({ type: 'integer', description: 'Seconds during which issues were held.', example: 310 })
  wallSeconds!: number;
}

/** The usage of the present day and month, in UTC. */
export class RecentUsageResponse implements RecentUsage {
  today!: UsageFiguresResponse;
  month!: UsageFiguresResponse;
}
