import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsUUID, Max, Min } from 'class-validator';
import { pick } from '../../platform/http/pick.js';
import { IsText } from '../../platform/http/text-and-instant-rules.js';
import { MayBeAbsent } from '../../platform/http/validation.pipe.js';
import { type RunRow, type RunState, runStates } from './issue-run.entity.js';

const MOST = 1_000_000_000_000;

/** What a worker reports of the run of its lease. An absent field stays as it is. */
export class ReportRunRequest {
  @ApiProperty({ type: 'integer', example: 1, description: 'The token of the lease.' })
  @IsInt()
  @Min(0)
  @Max(Number.MAX_SAFE_INTEGER)
  token!: number;

  /**
   * The session of the agent's program, in which the next run goes on.
   * @example 0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a05
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 200, unit: 'codePoints' })
  session?: string;

  @ApiProperty({ type: 'integer', required: false, description: 'The turn of this run that it is in.' })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  turns?: number;

  @ApiProperty({ type: 'integer', required: false, description: 'The tokens that this run has used.' })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(MOST)
  tokens?: number;

  @ApiProperty({
    type: 'integer',
    required: false,
    description: 'The cost of this run in millionths of a US dollar.',
  })
  @MayBeAbsent()
  @IsInt()
  @Min(0)
  @Max(MOST)
  costMicros?: number;

  /**
   * The last lines of output, in place of those of the last report.
   * @example "Reading the changelog.\nWriting the notes."
   */
  @MayBeAbsent()
  @IsText({ min: 0, max: 8192, unit: 'bytes' })
  output?: string;

  /** An attachment of the issue that has the log so far. */
  @MayBeAbsent()
  @IsUUID('all', { message: 'must be the id of an attachment' })
  logId?: string;

  /**
   * Why the run stopped. Absent while it lasts.
   * @example "The agent ended its turn."
   */
  @MayBeAbsent()
  @IsText({ min: 1, max: 1000, unit: 'codePoints' })
  stopped?: string;
}

/** The agent of a run. */
export class RunAgentResponse {
  id!: string;
  /** @example "Release notes writer" */
  name!: string;
}

/** One run of a worker on an issue, as the worker reported it. */
export class RunResponse {
  @ApiProperty({ type: 'integer', description: 'The token of its lease.' })
  token!: number;
  @ApiProperty({ type: RunAgentResponse })
  agent!: RunAgentResponse;
  @ApiProperty({
    enum: runStates,
    enumName: 'RunState',
    description:
      'running while its lease lives, stopped with the reason in `stopped`, lost when the lease is over and the worker reported no end.',
  })
  state!: RunState;
  /** The session of the agent's program. */
  session!: string | null;
  @ApiProperty({ type: 'integer' })
  turns!: number;
  @ApiProperty({ type: 'integer' })
  tokens!: number;
  @ApiProperty({ type: 'integer', description: 'Millionths of a US dollar.' })
  costMicros!: number;
  /** @example "Writing the notes." */
  output!: string;
  /** The attachment that has the log so far. */
  logId!: string | null;
  /** @example "The agent ended its turn." */
  stopped!: string | null;
  startedAt!: Date;
  /** When the worker last reported. */
  reportedAt!: Date;
  stoppedAt!: Date | null;

  static from(row: RunRow): RunResponse {
    return pick(
      row,
      'token',
      'agent',
      'state',
      'session',
      'turns',
      'tokens',
      'costMicros',
      'output',
      'logId',
      'stopped',
      'startedAt',
      'reportedAt',
      'stoppedAt',
    );
  }
}
