import { ApiProperty } from '@nestjs/swagger';
import { pick } from '../../platform/http/pick.js';
import { type RunState, runStates } from './issue-run.entity.js';
import type { RunRow } from './runs.service.js';

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
